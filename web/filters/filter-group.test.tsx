import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import type { Filter } from './filter.ts'
import { FilterFields } from './filter-fields.tsx'

const filters: Filter[] = [
  {
    kind: 'group',
    key: 'times',
    label: 'Days and hours',
    filters: [{ kind: 'weekdays' }, { kind: 'hours' }],
  },
]
const renderGroup = (state: Record<string, unknown>, onChange = vi.fn<(changes: object) => void>()) =>
  renderPart(<FilterFields filters={filters} state={state} onChange={onChange} />)
const getHeading = (name: string) => screen.getByRole('button', { name })

it('opens and closes with its heading', async () => {
  const onChange = vi.fn<(changes: object) => void>()
  await renderGroup({}, onChange)
  expect(screen.queryByRole('button', { name: 'Morning' })).not.toBeInTheDocument()
  await userEvent.click(getHeading('Days and hours'))
  await userEvent.click(screen.getByRole('button', { name: 'Morning' }))
  expect(onChange).toHaveBeenCalledWith({ hours: [6, 10] })
})

it('a group is open if a field is set, and shows the number of set fields when it is closed', async () => {
  await renderGroup({ hours: [6, 10] })
  expect(screen.getByRole('button', { name: 'Morning' })).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(getHeading('Days and hours'))
  expect(getHeading('Days and hours (1)')).toHaveAttribute('aria-expanded', 'false')
  expect(screen.queryByRole('button', { name: 'Morning' })).not.toBeInTheDocument()
})
