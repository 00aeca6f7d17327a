import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CurbEditZone } from '#contract/curb-edits.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { geographyResponses } from '#web/map-page/test-geography.ts'
import { lastMap } from '#web/map/test-map-view.tsx'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { testRegulation } from '../regulations/test-regulations.ts'
import { ZonesEditScreen } from './zones-edit-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/curb/regulations/zones', 'shell:pages.curbZones', ZonesEditScreen),
]
const curb = '/v2/regions/port-meridian/curb'
const makeZone = (id: string, west: number): CurbEditZone => ({
  curb_zone_id: id,
  geometry: {
    type: 'LineString',
    coordinates: [
      [west, 37.08],
      [west + 0.001, 37.08],
    ],
  },
  name: '',
  street_name: `${id} Street`,
  cross_street_start_name: '',
  cross_street_end_name: '',
  street_side: 'N',
  num_spaces: 5,
  curb_policy_ids: [],
  inventory_name: 'Survey',
  length_m: 88,
  updated_time: '2026-06-01T12:00:00.000Z',
  end_time: null,
})
const zones = [makeZone('Ash', -75.15), makeZone('Birch', -75.149)]

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(400)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
})
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

async function renderScreen(responses: Responses = {}) {
  const server = fakeServer({
    ...signedIn(),
    ...geographyResponses(),
    [`POST ${curb}/edits/zones`]: () => ({ is_complete: true, items: zones }),
    [`POST ${curb}/policies/filter`]: () => ({
      items: [testRegulation({ published_policy_id: 'paid', published: true, status: 'published' })],
      total: 1,
      page: 1,
      size: 1000,
    }),
    ...responses,
  })
  await renderApp(screens, '/port-meridian/curb/regulations/zones?results=true&view=[-75.15,37.08,16]')
  await screen.findByRole('checkbox', { name: 'Ash Street, north side' })
  return {
    sent: () =>
      server.requests.findLast(({ path }) => path === `${curb}/edits`)?.body as
        | { changed: { zone: CurbEditZone }[]; note: string }
        | undefined,
  }
}

const check = (name: string) => userEvent.click(screen.getByRole('checkbox', { name }))

it('edits several zones without a pointer, undoes, and saves them as one change set', async () => {
  const { sent } = await renderScreen({
    [`POST ${curb}/edits`]: () => ({
      change_set: {
        change_set_id: '11111111-ceea-467f-a0e6-7a1d2b3c4d5e',
        time: '2026-06-02T12:00:00.000Z',
        effective_time: null,
        by_email: 'planner@example.com',
        note: '',
        counts: { created: 0, changed: 2, replaced: 0, ended: 0 },
        edits: [],
      },
      zones: zones.map((zone) => ({ ...zone, curb_policy_ids: ['paid'] })),
    }),
  })
  await check('Ash Street, north side')
  await check('Birch Street, north side')
  const panel = within(screen.getByRole('region', { name: 'Selected zones' }))
  await userEvent.click(panel.getByRole('combobox', { name: 'Add a regulation' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Paid parking' }))
  expect(screen.getByRole('button', { name: 'Save 2 zones' })).toBeEnabled()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  await userEvent.click(screen.getByRole('button', { name: 'Redo' }))
  await userEvent.type(screen.getByLabelText('Note for the history'), 'Downtown')
  await userEvent.click(screen.getByRole('button', { name: 'Save 2 zones' }))
  expect(await screen.findByText('All changes are saved and in force.')).toBeInTheDocument()
  expect([sent()?.note, sent()?.changed.map((change) => change.zone.curb_policy_ids)]).toEqual([
    'Downtown',
    [['paid'], ['paid']],
  ])
})

it('splits the only selected zone at a typed length; the map draws both parts', async () => {
  await renderScreen()
  await check('Ash Street, north side')
  await waitFor(() => expect(lastMap()?.scene.board?.tool).toBe('corners'))
  await userEvent.type(screen.getByLabelText('Split after'), '20')
  await userEvent.click(screen.getByRole('button', { name: 'Split the zone' }))
  expect(screen.getByRole('button', { name: 'Save 2 zones' })).toBeEnabled()
})

it('asks which version to keep if another user saved first', async () => {
  await renderScreen({
    [`POST ${curb}/edits`]: () =>
      new ErrorResponse(409, 'Somebody changed a zone', 'conflict', {
        current: { conflicts: [{ curb_zone_id: 'Ash', current: { ...zones[0], num_spaces: 7 } }] },
      }),
  })
  await check('Ash Street, north side')
  await userEvent.type(screen.getByLabelText('Marked spaces'), '1')
  await userEvent.tab()
  await userEvent.click(screen.getByRole('button', { name: 'Save 1 zone' }))
  expect(await screen.findByText('Somebody else changed a zone')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Keep theirs' }))
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
})
