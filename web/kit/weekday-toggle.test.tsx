import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderPart } from './test-part.tsx'
import { WeekdayToggle } from './weekday-toggle.tsx'

const onChange = vi.fn<(value: number[]) => void>()

function Controlled({ start, weekStart }: { start: number[]; weekStart?: number }) {
  const [value, setValue] = useState(start)
  return (
    <WeekdayToggle
      label="Days"
      value={value}
      onChange={(next) => {
        onChange(next)
        setValue(next)
      }}
      {...(weekStart ? { weekStart } : {})}
    />
  )
}
const names = () => screen.getAllByRole('button').map((button) => button.textContent)

it('starts the week on Sunday by default', async () => {
  const { unmount } = await renderPart(<Controlled start={[]} />)
  expect(names()).toEqual(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'])
  unmount()
  await renderPart(<Controlled start={[]} weekStart={1} />)
  expect(names()).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
})

it('reports the selected days, sorted, Monday 1 to Sunday 7', async () => {
  await renderPart(<Controlled start={[5, 3]} />)
  expect(screen.getByRole('group', { name: 'Days' })).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Sunday' }))
  expect(onChange).toHaveBeenLastCalledWith([3, 5, 7])
  await userEvent.click(screen.getByRole('button', { name: 'Monday' }))
  expect(onChange).toHaveBeenLastCalledWith([1, 3, 5, 7])
  await userEvent.click(screen.getByRole('button', { name: 'Wednesday', pressed: true }))
  expect(onChange).toHaveBeenLastCalledWith([1, 5, 7])
})

it('supports the keyboard', async () => {
  await renderPart(<Controlled start={[]} />)
  await userEvent.tab()
  await userEvent.tab()
  await userEvent.keyboard(' ')
  expect(onChange).toHaveBeenLastCalledWith([1])
})

it('describes its error, and can be disabled', async () => {
  await renderPart(
    <WeekdayToggle label="Days" value={[1]} onChange={onChange} error="One day at least" disabled />,
  )
  expect(screen.getByRole('group')).toHaveAccessibleDescription('One day at least')
  for (const button of screen.getAllByRole('button')) expect(button).toBeDisabled()
})
