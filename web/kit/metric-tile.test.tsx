import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { formatInteger } from './format.ts'
import { type Metric, MetricTile } from './metric-tile.tsx'
import { renderPart } from './test-part.tsx'

const metric: Metric = {
  label: 'Trips',
  value: 1100,
  format: formatInteger,
  unit: 'trips',
  definition: 'Trips that started in the period.',
  comparisons: [
    { key: 'previous', name: 'October', value: 1000 },
    { key: 'year', name: 'last year', value: null },
    { key: 'zero', name: 'the first year', value: 0 },
    { key: 'partial', name: 'May', value: null, isPartial: true },
  ],
  history: [1, null, 3],
  betterIf: 'higher',
}

it('shows value, unit and changes; if there is no percentage, it describes the other period', async () => {
  const { container } = await renderPart(<MetricTile metric={metric} />)
  expect(screen.getByRole('button')).toHaveTextContent(
    'Trips1,100 trips+10% vs. OctoberNo data for last year0 in the first yearIncomplete data for May',
  )
  expect([...container.querySelectorAll('b')].map((element) => element.getAttribute('data-tone'))).toEqual([
    'good',
  ])
  expect(container.querySelector('path')?.getAttribute('d')).toBe('M0.5 0.900L0.5 0.900M2.5 0.100L2.5 0.100')
})
it('says why there is no value, and draws no sparkline', async () => {
  const { container } = await renderPart(
    <MetricTile metric={{ ...metric, value: null, missingReason: 'A feed is broken' }} />,
  )
  expect(screen.getByRole('button')).toHaveTextContent('Tripsn/aA feed is broken')
  expect(container.querySelector('svg')).toBeNull()
})
it.each([[[7]], [[null, 7, null]]])('draws no sparkline of the single value in %j', async (history) => {
  const { container } = await renderPart(<MetricTile metric={{ ...metric, history }} />)
  expect(container.querySelector('svg')).toBeNull()
})
it('shows its definition on click', async () => {
  await renderPart(<MetricTile metric={metric} />)
  await userEvent.click(screen.getByRole('button'))
  expect(await screen.findByRole('dialog')).toHaveTextContent('Trips that started in the period.')
})
