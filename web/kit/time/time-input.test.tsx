import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderPart } from '../test-part.tsx'
import { TimeInput } from './time-input.tsx'
import type { TimeOfDay } from './time-of-day.ts'

const onChange = vi.fn<(value: TimeOfDay | null) => void>()

function Held({ start = null, isHourOnly = false }: { start?: TimeOfDay | null; isHourOnly?: boolean }) {
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
const input = () => screen.getByLabelText('Opens')

it('is empty with 00:00 as placeholder, and accepts five characters', async () => {
  await renderPart(<Held />)
  expect(input()).toHaveValue('')
  expect(input()).toHaveAttribute('placeholder', '00:00')
  expect(input()).toHaveAttribute('maxlength', '5')
})

it('formats the typed text on blur and Enter', async () => {
  onChange.mockClear()
  await renderPart(<Held />)
  await userEvent.type(input(), '9x30')
  expect(input()).toHaveValue('930')
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.tab()
  expect(input()).toHaveValue('09:30')
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ hour: 9, minute: 30 })
  await userEvent.clear(input())
  await userEvent.type(input(), '24:00{Enter}')
  expect(onChange).toHaveBeenLastCalledWith({ hour: 24, minute: 0 })
  expect(input()).toHaveValue('24:00')
})

it('becomes null when cleared, and reports changes only', async () => {
  onChange.mockClear()
  await renderPart(<Held start={{ hour: 9, minute: 30 }} />)
  await userEvent.type(input(), '{Backspace}0{Enter}')
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.clear(input())
  await userEvent.tab()
  expect(onChange).toHaveBeenCalledExactlyOnceWith(null)
})

it('of whole hours makes the minutes 00', async () => {
  await renderPart(<Held isHourOnly />)
  await userEvent.type(input(), '17:45{Enter}')
  expect(input()).toHaveValue('17:00')
})

it('ties its error to the input', async () => {
  await renderPart(<TimeInput label="Opens" value={null} onChange={() => undefined} error="Say when" />)
  expect(input()).toHaveAccessibleDescription('Say when')
  expect(input()).toBeInvalid()
})
