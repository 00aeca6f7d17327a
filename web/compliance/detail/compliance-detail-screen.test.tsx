import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { lastMap } from '#web/map/test-map-view.tsx'
import { shapeId } from '#web/map-page/test-geography.ts'
import { recordDownloads } from '#web/kit/test-downloads.ts'
import { constantId, testPolicy } from '#web/policies/test-policy.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { aBreach, aFact, complianceResponses } from '../test-compliance.ts'
import { ComplianceDetailScreen } from './compliance-detail-screen.tsx'

const base = '/port-meridian/mobility/policies/compliance'
const screens: ScreenEntry[] = [
  makeScreenEntry(
    '/$regionId/mobility/policies/compliance/$policyId',
    'shell:pages.complianceDetail',
    ComplianceDetailScreen,
  ),
]
const factsPath = '/v2/regions/port-meridian/compliance/facts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T17:00:00Z') })
  for (const side of ['clientHeight', 'offsetHeight', 'clientWidth'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(400)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function renderScreen(search = '', responses: Responses = complianceResponses()) {
  const server = fakeServer(responses)
  const router = await renderApp(screens, `${base}/${constantId}${search}`)
  await screen.findByRole('heading', { name: 'Wharf' })
  return {
    ...server,
    router,
    requests: (path: string) =>
      server.requests
        .filter((request) => request.path === path)
        .map(({ body }) => body as Record<string, unknown>),
  }
}
const findCell = (name: RegExp) => screen.findByRole('button', { name })

describe('the compliance with a policy', () => {
  it('marks a deleted policy, which cannot be tried again', async () => {
    const path = `GET /v2/policies/constant/${constantId}/kept`
    await renderScreen('', {
      ...complianceResponses(),
      [path]: () => ({ policy: { ...testPolicy({ policy_type: 'no_parking' }), is_deleted: true } }),
    })
    expect(screen.getByText('Deleted')).toBeInTheDocument()
    expect(await findCell(/^Glide, Fri, Nov 20: Non-compliant/)).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Test on past data' })).not.toBeInTheDocument()
  })

  it('shows why the operators cannot be selected', async () => {
    await renderScreen('', {
      ...complianceResponses(),
      'GET /v2/operators': () => new ErrorResponse(503, 'Operators are not available.'),
    })
    expect(await screen.findByText('Operators are not available.')).toBeInTheDocument()
  })

  it('shows each day and operator, as a word and a sentence', async () => {
    const { requests } = await renderScreen()
    expect(
      await findCell(/^Glide, Fri, Nov 20: Non-compliant\. 7 vehicles parked here\.$/),
    ).toHaveTextContent('7')
    expect(
      await findCell(/^Skip, Sat, Nov 21: Not applicable\. No data from the operator's feed on this day\./),
    ).toBeInTheDocument()
    expect(requests('/v2/policy_compliance/for_policy')[0]).toMatchObject({
      start_date: '2026-11-15',
      end_date: '2026-11-22',
      operators: [],
      detail: true,
    })
    expect(
      screen.getByRole('button', { name: /^Days with violations\s*1\s*of 3 operator days measured$/ }),
    ).toBeInTheDocument()
    expect(screen.getByRole('button', { name: /^Violations\s*7$/ })).toBeInTheDocument()
  })

  it('moves between days with arrow keys; a press explains the day and filters the lists below', async () => {
    const { requests, router } = await renderScreen()
    const last = await findCell(/^Glide, Sat, Nov 21/)
    act(() => last.focus())
    await userEvent.keyboard('{ArrowLeft}{Enter}')
    const details = within(await screen.findByRole('region', { name: 'Glide, Fri, Nov 20' }))
    expect(details.getByRole('status')).toHaveTextContent('7 vehicles parked here.')
    expect(router.state.location.search).toMatchObject({ operator: 'glide', date: '2026-11-20' })
    await waitFor(() =>
      expect(requests(factsPath).at(-1)).toMatchObject({
        start_date: '2026-11-20',
        end_date: '2026-11-20',
        operators: ['glide'],
      }),
    )
    await userEvent.click(details.getByRole('button', { name: 'Show all days' }))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })

  it('colors shapes by violations, draws facts above, and filters both by a selected shape', async () => {
    const { requests, router } = await renderScreen()
    await waitFor(() => expect(lastMap()?.scene.layers[0]?.states.size).toBe(1))
    await waitFor(() => expect(lastMap()?.fleet?.read()?.count).toBe(1))
    act(() => lastMap()?.onHover?.(shapeId))
    await waitFor(() => expect(router.state.location.search).toEqual({ hover: shapeId }))
    // The key of a fact contains its position, which differs between lists.
    act(() => lastMap()?.onHover?.('fact:0'))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
    act(() => lastMap()?.onSelect(shapeId))
    await waitFor(() => expect(requests(factsPath).at(-1)).toMatchObject({ shape_uuids: [shapeId] }))
  })

  it('lists the facts and, on request, those that do not count', async () => {
    const { requests } = await renderScreen(
      '',
      complianceResponses(undefined, [
        aFact(),
        aFact({ fact_id: 'fact-2', is_violation: false, is_uncertain: true, vehicle_id: 'V-2' }),
      ]),
    )
    const table = within(await screen.findByRole('table', { name: 'Records behind these numbers' }))
    expect(table.getByRole('row', { name: /V-1/ })).toHaveTextContent(
      'V-1Standing scooterGlideNorthNov 20, 2026, 10:00 AM to Nov 20, 2026, 11:30 AM1 hr 30 mins40 ftViolation'.replace(
        'Standing scooter',
        'Scooter',
      ),
    )
    expect(table.getByRole('row', { name: /V-2/ })).toHaveTextContent('Uncertain')
    expect(requests(factsPath)[0]).toMatchObject({ only_violations: true, page: 1, size: 50 })
    await userEvent.click(screen.getByRole('switch', { name: 'Show compliant vehicles too' }))
    await waitFor(() => expect(requests(factsPath).at(-1)).toMatchObject({ only_violations: false }))
    await userEvent.click(await screen.findByRole('button', { name: 'V-1' }))
    await waitFor(() => expect(lastMap()?.fleet?.read()?.selected).toEqual({ lon: 0.5, lat: 0.5 }))
  })

  it('names who may see single facts, and requests none for the map', async () => {
    const { requests } = await renderScreen('', {
      ...complianceResponses(),
      [`POST ${factsPath}`]: () => new ErrorResponse(403, 'No'),
    })
    expect(
      await screen.findByText(
        /^Individual trips and locations are shown only to users who may edit policies/,
      ),
    ).toBeInTheDocument()
    expect(requests(factsPath).every(({ size }) => size === 50)).toBe(true)
    expect(screen.queryByRole('table', { name: 'Records behind these numbers' })).not.toBeInTheDocument()
  })

  it('names a download after the policy’s title and name, the operators and the days', async () => {
    await renderScreen('?operators=["glide"]')
    await findCell(/^Glide, Fri/)
    const files = recordDownloads()
    await userEvent.click(screen.getAllByRole('button', { name: 'Download' })[0]!)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'CSV' }))
    await waitFor(() => expect(files.size).toBe(1))
    const text = await files.get('No-parking_Wharf_Glide_2026-11-15_2026-11-22.csv')?.text()
    expect(text?.split('\r\n').slice(0, 2)).toEqual([
      'date,operator,shape_uuid,shape_name,status,vehicle_count,drop_offs_count,reason,reason_code,measure,measured,minimum,maximum,unit,violations,uncertain,gap_hours,provisional,policy_uuid',
      `2026-11-20,glide,${shapeId},North,non_compliant,7,,7 vehicles parked here.,found,parking_events,7,,,,7,0,0,false,11111111-ceea-467f-a0e6-7a1d2b3c4d5e`,
    ])
  })

  it('shows a message if there are no records', async () => {
    await renderScreen('', complianceResponses([]))
    expect(await screen.findByText('No results')).toBeInTheDocument()
  })

  it('prints the same numbers with their meaning', async () => {
    const print = vi.fn()
    vi.stubGlobal('print', print)
    const { router } = await renderScreen()
    await findCell(/^Glide, Fri/)
    await userEvent.click(screen.getByText('Printable report'))
    const paper = within(await screen.findByRole('article', { name: 'Compliance report: Wharf' }))
    expect(paper.getByRole('row', { name: /^All operators/ })).toHaveTextContent(
      'All operatorsNon-compliant12170',
    )
    expect(paper.getByText('7 vehicles parked here.')).toBeInTheDocument()
    expect(paper.getByText(/^Vehicles that were parked in the area/)).toBeInTheDocument()
    expect(document.title).toBe('Compliance report: Wharf, 2026-11-15 – 2026-11-22')
    await userEvent.click(screen.getByText('Print or save as PDF'))
    expect(print).toHaveBeenCalled()
    await userEvent.click(screen.getByText('Back to the page'))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })
})

it('lists each shape of a day, those with violations first', async () => {
  const other = '33333333-ceea-467f-a0e6-7a1d2b3c4d5e'
  await renderScreen(
    '?operator=glide&date=2026-11-20',
    complianceResponses([
      aBreach(0, { status: 'compliant', reason_code: 'none_found', shape_uuid: other, shape_name: 'South' }),
      aBreach(3),
    ]),
  )
  const list = within(await screen.findByRole('list', { name: 'Areas on this day' })).getAllByRole('listitem')
  expect(list.map((item) => item.textContent)).toEqual([
    'NorthNon-compliant3 vehicles parked here.',
    'SouthCompliantNo vehicles parked here.',
  ])
  expect(screen.getByText('1 of 2 areas are non-compliant. Violations: 3.')).toBeInTheDocument()
})
