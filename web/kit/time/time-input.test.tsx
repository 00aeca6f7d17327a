import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import fc from 'fast-check'
import { renderPart } from '../test-part.tsx'
import { cleanTimeText, parseTime, TimeInput, toInputText } from './time-input.tsx'
import { formatClock, type TimeOfDay } from './time-of-day.ts'

const onChange = vi.fn<(value: TimeOfDay | null) => void>()

function Controlled({
  start = null,
  isHourOnly = false,
}: {
  start?: TimeOfDay | null
  isHourOnly?: boolean
}) {
  const [value, setValue] = useState(start)
  return (
    <TimeInput
      label="Opens"
      value={value}
      isHourOnly={isHourOnly}
      onChange={(next) => {
        onChange(next)
        setValue(next)
      }}
    />
  )
}
const getInput = () => screen.getByLabelText('Opens')

it('the input is empty with 00:00 as placeholder, and accepts five characters', async () => {
  await renderPart(<Controlled />)
  expect(getInput()).toHaveValue('')
  expect(getInput()).toHaveAttribute('placeholder', '00:00')
  expect(getInput()).toHaveAttribute('maxlength', '5')
})

it('formats the typed text on blur and Enter', async () => {
  onChange.mockClear()
  await renderPart(<Controlled />)
  await userEvent.type(getInput(), '9x30')
  expect(getInput()).toHaveValue('930')
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.tab()
  expect(getInput()).toHaveValue('09:30')
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ hour: 9, minute: 30 })
  await userEvent.clear(getInput())
  await userEvent.type(getInput(), '24:00{Enter}')
  expect(onChange).toHaveBeenLastCalledWith({ hour: 24, minute: 0 })
  expect(getInput()).toHaveValue('24:00')
})

it('becomes null when cleared, and reports changes only', async () => {
  onChange.mockClear()
  await renderPart(<Controlled start={{ hour: 9, minute: 30 }} />)
  await userEvent.type(getInput(), '{Backspace}0{Enter}')
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.clear(getInput())
  await userEvent.tab()
  expect(onChange).toHaveBeenCalledExactlyOnceWith(null)
})

it('for whole hours sets the minutes to 00', async () => {
  await renderPart(<Controlled isHourOnly />)
  await userEvent.type(getInput(), '17:45{Enter}')
  expect(getInput()).toHaveValue('17:00')
})

it('accepts AM and PM, and shows them beside the 24 hours', async () => {
  onChange.mockClear()
  await renderPart(<Controlled start={{ hour: 6, minute: 0 }} />)
  expect(screen.getByText('6 AM')).toBeInTheDocument()
  await userEvent.clear(getInput())
  await userEvent.type(getInput(), '10:30 pm')
  expect(getInput()).toHaveValue('22:30')
  expect(screen.getByText('10:30 PM')).toBeInTheDocument()
  await userEvent.type(getInput(), 'A{Enter}')
  expect(getInput()).toHaveValue('10:30')
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ hour: 10, minute: 30 })
  await userEvent.keyboard('{Control>}a{/Control}')
  expect(getInput()).toHaveValue('10:30')
})

it.each([
  ['6 PM', '18:00'],
  ['6:30p', '18:30'],
  ['12 am', '00:00'],
  ['12p', '12:00'],
  ['18:00 p', '18:00'],
  ['p', ''],
])('%s with AM or PM is %s', (text, time) => expect(toInputText(text)).toBe(time))

it('ties its error to the input', async () => {
  await renderPart(<TimeInput label="Opens" value={null} onChange={() => undefined} error="Say when" />)
  expect(getInput()).toHaveAccessibleDescription('Say when')
  expect(getInput()).toBeInvalid()
})

const read = (text: string, isHourOnly?: boolean): string | null => {
  const time = parseTime(text, isHourOnly)
  return time && formatClock(time)
}

describe('a typed time', () => {
  it.each(['', ' ', ':', '::'])('%j is null', (text) => expect(parseTime(text)).toBeNull())

  it.each([
    ['9', '09:00'],
    ['09', '09:00'],
    ['9:', '09:00'],
    [':30', '00:30'],
    ['9:5', '09:05'],
    ['9:30', '09:30'],
    ['930', '09:30'],
    ['0930', '09:30'],
    ['1230', '12:30'],
    ['12345', '03:45'],
    ['000', '00:00'],
  ])('%s is %s', (text, time) => expect(read(text)).toBe(time))

  it.each(['24:00', '2400', '24', '24:', '24:0'])('%s is valid', (text) =>
    expect(parseTime(text)).toEqual({ hour: 24, minute: 0 }),
  )

  it.each([
    ['25', '01:00'],
    ['24:30', '00:30'],
    ['48:00', '00:00'],
    ['9:75', '10:15'],
    ['23:60', '00:00'],
    ['23:75', '00:15'],
    ['99:99', '04:39'],
  ])('%s wraps around at midnight: %s', (text, time) => expect(read(text)).toBe(time))

  it.each([
    ['9:30', '09:00'],
    ['1230', '12:00'],
    ['24:30', '24:00'],
    ['9:75', '09:00'],
    ['25:10', '01:00'],
    ['7', '07:00'],
  ])('%s in whole hours is %s', (text, time) => expect(read(text, true)).toBe(time))
})

describe('any typed text', () => {
  const typed = fc.oneof(fc.string(), fc.stringMatching(/^[\d:]{0,6}$/)).map(cleanTimeText)

  it('any typed text is reduced to five digits and colons', () => {
    expect(cleanTimeText('9h30m')).toBe('930')
    expect(cleanTimeText('12:345')).toBe('12:34')
    fc.assert(fc.property(typed, (text) => /^[\d:]{0,5}$/.test(text)))
  })

  it('any typed text with a digit is a time of day in whole minutes, or whole hours if requested', () => {
    fc.assert(
      fc.property(typed, fc.boolean(), (text, isHourOnly) => {
        const time = parseTime(text, isHourOnly)
        expect(time === null).toBe(!/\d/.test(text))
        if (time === null) return
        const total = time.hour * 60 + time.minute
        expect(Number.isInteger(total) && total >= 0 && total <= 1440 && time.minute < 60).toBe(true)
        expect(isHourOnly ? time.minute : 0).toBe(0)
      }),
    )
  })

  it('survives a round trip as a time, with and without the colon', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1440 }), (minutes) => {
        const text = formatClock({ hour: Math.floor(minutes / 60), minute: minutes % 60 })
        expect([read(text), read(text.replace(':', ''))]).toEqual([text, text])
      }),
    )
  })
})
