import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { compareValues } from '#web/map-page/by-shape/compare/compare-evaluations.ts'
import { CompareField } from '#web/filters/compare-field.tsx'
import { Legend } from '#web/map-page/by-shape/legend.tsx'
import type { MapSearch } from '#web/map-page/by-shape/map-search.ts'
import { SideBySideMaps } from '#web/map-page/by-shape/side-by-side-maps.tsx'
import { DetailCard } from '#web/kit/detail-card.tsx'
import { ShapeCard } from '#web/map-page/by-shape/shape-card.tsx'
import { testEvaluation } from '#web/map-page/by-shape/test-evaluation.ts'
import { HeatField } from './fields/heat-field.tsx'
import { mapModes } from './modes/map-modes.ts'

const row = testEvaluation({ a: 1234 }).rows[0]!

describe('the card of a shape', () => {
  it('shows name, value and unit', async () => {
    const { container } = await renderPart(
      <ShapeCard
        name="Harbour"
        row={row}
        unit="trips"
        unitPlural="trips"
        unitSingular="trip"
        changeDisplay={null}
      />,
    )
    expect(container).toHaveTextContent('Harbour1,234 trips')
    const one = await renderPart(
      <ShapeCard
        name="Harbour"
        row={{ ...row, value: 1 }}
        unit="trips"
        unitPlural="trips"
        unitSingular="trip"
        changeDisplay={null}
      />,
    )
    expect(one.container).toHaveTextContent('Harbour1 trip')
  })
  it('shows the change of the value if the map does', async () => {
    const { container } = await renderPart(
      <ShapeCard
        name="Harbour"
        row={{ ...row, compared: compareValues(30, 20) }}
        unit="trips"
        unitPlural="trips"
        unitSingular="trip"
        changeDisplay="percent"
      />,
    )
    expect(container).toHaveTextContent('Harbour+50 %30 now, 20 before')
  })
  it('shows the policy targets of each operator', async () => {
    const { container } = await renderPart(
      <ShapeCard
        name="Harbour"
        row={row}
        unit="vehicles"
        unitPlural="vehicles"
        unitSingular="vehicle"
        changeDisplay={null}
        targets={['at least 6 % of the fleet (Share)']}
      />,
    )
    expect(container).toHaveTextContent('Target: at least 6 % of the fleet (Share)')
  })
  it('the card of a shape has no sample size if it is unknown, and marks unknown values', async () => {
    const { container } = await renderPart(
      <ShapeCard
        name="Harbour"
        row={{ ...row, n: null }}
        unit="trips"
        unitPlural="trips"
        unitSingular="trip"
        changeDisplay="change"
      />,
    )
    expect(container).toHaveTextContent('Harbour1,234 trips')
    const unknown = await renderPart(
      <ShapeCard
        name="Mill"
        row={undefined}
        unit="trips"
        unitPlural="trips"
        unitSingular="trip"
        changeDisplay={null}
      />,
    )
    expect(unknown.container).toHaveTextContent('MillNo data')
  })
})

describe('the selected shape', () => {
  it('shows its numbers, and can be deselected', async () => {
    const clear = vi.fn<() => void>()
    await renderPart(
      <DetailCard
        name="Harbour"
        figures={[
          { key: 'a', label: 'Origins', value: '30' },
          { key: 'b', label: 'Destinations', value: null },
        ]}
        onClear={clear}
      />,
    )
    expect(screen.getAllByRole('definition').map((definition) => definition.textContent)).toEqual(['30', '…'])
    fireEvent.click(screen.getByRole('button', { name: 'Clear the selection' }))
    expect(clear).toHaveBeenCalledTimes(1)
  })
})

describe('the legend', () => {
  const explanation = {
    buffer: '50 m',
    definition: 'Trips that start in the shape.',
    period: 'May 2026',
    days: 31,
    method: { name: 'origins', version: 2, buffer: 50 },
    milliseconds: 12,
    from: 'cubes' as const,
  }
  const show = (isOpen: boolean, ways?: { trips_with_way: number; trips_without_way: number }) =>
    renderPart(
      <Legend
        title="Origins"
        unit="trips"
        figures={[{ key: 'whole', label: 'Total', value: '50' }]}
        sum={{ amounts: { shapes: 42, notInShape: 8, total: 50, kind: 'passes' }, format: String }}
        explanation={{ ...explanation, ways }}
        rows={[{ key: '0', label: '1 – 9', members: '2 areas', swatch: 'zero' }]}
        colors={[]}
        replacement={null}
        isOpen={isOpen}
        onOpen={() => {}}
      />,
    )

  it('explains the colors and how the shapes add up', async () => {
    await show(true)
    expect(screen.getByRole('list', { name: 'Colors and their values' })).toHaveTextContent('1 – 92 areas')
    expect(
      screen.getByText(/^42 in areas \+ 8 outside\. A trip counts in every area it passes through/),
    ).toBeInTheDocument()
  })
  it('explains a pressed figure: definition, input and method', async () => {
    await show(true)
    await userEvent.click(screen.getByRole('button', { name: /Total/ }))
    const about = (await screen.findByText('Trips that start in the shape.')).parentElement
    expect(about).toHaveTextContent('origins, version 2')
    expect(about).toHaveTextContent('12 ms · Computed from hourly counts')
  })
  it('shows how many trips have no known route and, in a figure, how many have one', async () => {
    await show(true, { trips_with_way: 1200, trips_without_way: 34 })
    expect(
      screen.getByText(
        'On these dates 34 of 1,234 trips have no known route. They count where they start and end.',
      ),
    ).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: /Total/ }))
    expect(await screen.findByText('known for 1,200 of 1,234 trips')).toBeInTheDocument()
  })
  it('shows nothing about routes if all are known or none are needed', async () => {
    await show(true, { trips_with_way: 1200, trips_without_way: 0 })
    expect(screen.queryByText(/no known route/)).not.toBeInTheDocument()
    await show(true)
    expect(screen.queryByText(/no known route/)).not.toBeInTheDocument()
  })
  it('the legend is only a title while collapsed', async () => {
    await show(false)
    expect(screen.queryByRole('list')).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Open the legend' })).toHaveAttribute('aria-expanded', 'false')
  })
})

describe('fields', () => {
  it('fields offer the points of a map', async () => {
    const change = vi.fn<(value: string | undefined) => void>()
    await renderPart(<HeatField mode={mapModes.parking} value={undefined} onChange={change} />)
    expect(screen.getAllByRole('radio').map((radio) => radio.closest('div')?.textContent)).toEqual([
      'Off',
      'Parked vehicles',
    ])
    fireEvent.click(screen.getByRole('radio', { name: 'Parked vehicles' }))
    expect(change).toHaveBeenCalledWith('parked')
  })
  it('fields offer no points if there are none', async () => {
    await renderPart(<HeatField mode={mapModes.distribution} value={undefined} onChange={() => {}} />)
    expect(screen.queryByRole('radio')).not.toBeInTheDocument()
  })
  it('fields end a comparison, or show it in percent', async () => {
    const change = vi.fn<(changes: Partial<MapSearch>) => void>()
    const search: MapSearch = { compare_start_date: '2026-02-01', compare_end_date: '2026-02-28' }
    await renderPart(
      <CompareField
        search={search}
        period={{ start_date: '2026-03-01', end_date: '2026-03-31' }}
        today="2026-04-01"
        isMap
        change={change}
      />,
    )
    fireEvent.click(screen.getByRole('radio', { name: 'Percent' }))
    expect(change).toHaveBeenLastCalledWith({ percent: true })
    fireEvent.click(screen.getByRole('switch', { name: 'Compare with another period' }))
    expect(change).toHaveBeenLastCalledWith({ compare_start_date: undefined, compare_end_date: undefined })
  })
  it('fields have no display options for a comparison that the map does not show', async () => {
    const search: MapSearch = { compare_start_date: '2026-02-01', compare_end_date: '2026-02-28' }
    await renderPart(
      <CompareField
        search={search}
        period={{ start_date: '2026-03-01', end_date: '2026-03-31' }}
        today="2026-04-01"
        change={() => {}}
      />,
    )
    expect(screen.getByRole('switch', { name: 'Compare with another period' })).toBeChecked()
    expect(screen.queryByRole('radio')).not.toBeInTheDocument()
  })
  it('fields offer neither numbers nor percent side by side', async () => {
    const search: MapSearch = {
      compare_start_date: '2026-02-01',
      compare_end_date: '2026-02-28',
      side_by_side: true,
    }
    await renderPart(
      <CompareField
        search={search}
        period={{ start_date: '2026-03-01', end_date: '2026-03-31' }}
        today="2026-04-01"
        isMap
        change={() => {}}
      />,
    )
    expect(screen.queryByRole('radio', { name: 'Percent' })).not.toBeInTheDocument()
  })
})

it('name each of two maps side by side', async () => {
  await renderPart(
    <SideBySideMaps
      isSmall={false}
      maps={[
        { key: 'a', label: 'May', map: <i>one</i> },
        { key: 'b', label: 'April', map: <i>two</i> },
      ]}
    />,
  )
  expect(screen.getByText('May').parentElement).toHaveTextContent('oneMay')
  expect(screen.getByText('April').parentElement).toHaveTextContent('twoApril')
})
