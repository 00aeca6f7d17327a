import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { TripMapping } from '#contract/imports.ts'
import { fakeServer } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { MappingColumns } from './mapping-columns.tsx'
import { MappingUnits } from './mapping-units.tsx'

const changes: TripMapping[] = []
const empty: TripMapping = {
  columns: {},
  distance_unit: 'm',
  duration_unit: 's',
  date_order: null,
  operator: null,
  vehicle_type: null,
}

function Probe() {
  const [mapping, setMapping] = useState(empty)
  const change = (next: TripMapping) => {
    changes.push(next)
    setMapping(next)
  }
  return (
    <>
      <MappingColumns
        header={['ride', 'co', 'co', '']}
        columns={mapping.columns}
        onChange={(columns) => change({ ...mapping, columns })}
      />
      <MappingUnits mapping={mapping} orders={['mdy', 'dmy']} onChange={change} />
    </>
  )
}
const screens: ScreenEntry[] = [makeScreenEntry('/$regionId/mapping', 'shell:pages.tripFiles', Probe)]

async function renderUnits() {
  fakeServer({
    ...signedIn(),
    'GET /v2/operators': () => ({
      items: [{ slug: 'zip', name: 'Zip', colorHex: '#0B7A75' }],
      total: 1,
      page: 1,
      size: 300,
    }),
  })
  await renderApp(screens, '/port-meridian/mapping')
  await screen.findByRole('combobox', { name: 'Trip id' })
}
async function pick(label: string, option: string) {
  await userEvent.click(screen.getByRole('combobox', { name: label }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}
afterEach(() => vi.unstubAllGlobals())

describe('a mapping', () => {
  it('shows the units of the file', async () => {
    await renderUnits()
    await pick('Distance unit', 'mi')
    await pick('Duration unit', 'h:mm:ss')
    await pick('Date order', 'Month, day, year')
    await pick('Vehicle type of all rows', 'Standing Scooter')
    expect(changes.at(-1)).toMatchObject({
      distance_unit: 'mi',
      duration_unit: 'h:mm:ss',
      date_order: 'mdy',
      vehicle_type: 'scooter_standing',
    })
  })

  it('sets an operator for all rows as a slug, unless a column has it', async () => {
    await renderUnits()
    await userEvent.type(screen.getByRole('combobox', { name: 'Operator of all rows' }), 'Zip Rides')
    expect(changes.at(-1)?.operator).toBe('zip-rides')
    await pick('Operator', 'co')
    expect(screen.queryByRole('combobox', { name: 'Operator of all rows' })).not.toBeInTheDocument()
    expect(changes.at(-1)?.columns).toEqual({ operator: 'co' })
  })

  it('offers each column of the file once, and can clear it', async () => {
    await renderUnits()
    await userEvent.click(screen.getByRole('combobox', { name: 'Trip id' }))
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['ride', 'co'])
    await userEvent.click(screen.getByRole('option', { name: 'ride' }))
    // Selecting the same option again changes nothing.
    await pick('Trip id', 'ride')
    expect(changes.at(-1)?.columns).toEqual({})
  })
})
