import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import type { Filter } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { HoursField } from './hours-field.tsx'

const filters: Filter[] = [
  { kind: 'search', key: 'search', label: 'Name' },
  {
    kind: 'choices',
    key: 'operators',
    label: 'Operators',
    all: 'All operators',
    options: [{ value: 'glide', text: 'Glide' }],
  },
  { kind: 'flag', key: 'compare', label: 'Compare' },
]

async function renderBar(state: Record<string, unknown>) {
  const [onChange, onType] = [vi.fn<(changes: object) => void>(), vi.fn<(changes: object) => void>()]
  await renderPart(<FilterBar filters={filters} state={state} onChange={onChange} onType={onType} />)
  return { onChange, onType }
}

it('searches once typing has paused', async () => {
  const { onType } = await renderBar({})
  await userEvent.type(screen.getByLabelText('Name'), 'wha')
  await waitFor(() => expect(onType).toHaveBeenCalledWith({ search: 'wha' }))
  expect(onType).toHaveBeenCalledOnce()
})

it('switches a flag off', async () => {
  const { onChange } = await renderBar({ compare: true })
  await userEvent.click(screen.getByRole('switch', { name: 'Compare' }))
  expect(onChange).toHaveBeenCalledWith({ compare: undefined })
})

it('shows a value that is not an option', async () => {
  await renderBar({ operators: ['gone'] })
  expect(screen.getAllByText('gone').length).toBeGreaterThan(0)
})

it('a button on phones opens the filter bar and shows the number of set filters', async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  await renderBar({ operators: ['glide'], search: 'x' })
  expect(screen.queryAllByText('Glide')).toEqual([])
  await userEvent.click(screen.getByRole('button', { expanded: false }))
  expect(screen.getAllByText('Glide').length).toBeGreaterThan(0)
  expect(screen.getByRole('button', { expanded: true })).toHaveTextContent('1')
})

it('sets hours by typing them, or to a part of the day', async () => {
  const onChange = vi.fn()
  await renderPart(<HoursField value={[0, 24]} onChange={onChange} />)
  await userEvent.click(screen.getByRole('button', { name: 'Morning' }))
  expect(onChange).toHaveBeenLastCalledWith([6, 10])
  const until = screen.getByRole('textbox', { name: 'To hour' })
  await userEvent.clear(until)
  await userEvent.type(until, '9{Enter}')
  expect(onChange).toHaveBeenLastCalledWith([0, 9])
  await userEvent.clear(screen.getByRole('textbox', { name: 'From hour' }))
  await userEvent.tab()
  expect(onChange).toHaveBeenCalledTimes(2)
})
