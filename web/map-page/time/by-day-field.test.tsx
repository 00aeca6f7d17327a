import { screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { PermissionKey } from '#contract/permission.ts'
import { fakeServer } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { useRegion } from '#web/shell/region.tsx'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { ByDayField } from './by-day-field.tsx'

afterEach(() => vi.unstubAllGlobals())

const period = { start_date: '2026-03-01', end_date: '2026-03-03' }
const renderField = async (items: object[], keys: readonly PermissionKey[], compare_start_date?: string) => {
  const Screen = () => (
    <ByDayField
      region={useRegion()}
      period={period}
      search={{ under: undefined, compare_start_date }}
      change={() => undefined}
    />
  )
  const path = '/$regionId/mobility/maps/trips'
  const screens: ScreenEntry[] = [makeScreenEntry(path, 'shell:pages.trips', Screen)]
  fakeServer({ ...signedIn(keys), 'GET /v2/regions/port-meridian/weather': () => ({ units: {}, items }) })
  await renderApp(screens, '/port-meridian/mobility/maps/trips')
  return screen.findByRole('group', { name: 'Show by day' })
}
const makeDay = (day: string, precipitation_mm: number, temperature_max_c: number) => ({
  day,
  precipitation_mm,
  temperature_max_c,
  temperature_mean_c: null,
  place: 'Harbour',
  source: 'files',
})

it('summarizes the weather of the period', async () => {
  const group = await renderField([makeDay('2026-03-01', 25.4, 10), makeDay('2026-03-02', 0, 20)], [])
  expect(await within(group).findByText('Rain on 1 of 2 days, 1 in · highs 50 to 68 °F')).toBeInTheDocument()
})

it('without weather links administrators to its settings, and names a contact for others', async () => {
  const group = await renderField([], ['is_admin'])
  expect(await within(group).findByText(/^No weather for these days\./)).toBeInTheDocument()
  expect(
    within(group)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/admin/operators', expect.stringContaining('/port-meridian/')])
})

it('without weather names a contact for planners', async () => {
  const group = await renderField([], [])
  expect(await within(group).findByText(/An administrator can connect a weather feed/)).toBeInTheDocument()
  expect(within(group).queryByRole('link')).toBeNull()
})

it('the field is not available in a comparison', async () => {
  const group = await renderField([], [], '2025-03-01')
  expect(within(group).getByRole('checkbox', { name: 'Weather' })).toBeDisabled()
  expect(group).toHaveTextContent('Not available while two periods are compared.')
})
