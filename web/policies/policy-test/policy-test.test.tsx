import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { lastMap } from '#web/map/test-map-view.tsx'
import { shapeId } from '#web/map-page/test-geography.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { aBreach, aRecord, complianceResponses } from '#web/compliance/test-compliance.ts'
import { constantId, testPolicy } from '../test-policy.ts'
import { policiesResponses } from '../test-policy-responses.ts'
import { PolicyEditScreen } from '../policy-edit-screen.tsx'
import { PolicyScreen } from '../policy-screen.tsx'

const base = '/$regionId/mobility/policies'
const makeEntry = (path: string, Screen: ScreenEntry['Screen']): ScreenEntry =>
  makeScreenEntry(`${base}${path}`, 'shell:pages.policy', Screen)
const screens = [makeEntry('/$policyId', PolicyScreen), makeEntry('/$policyId/edit', PolicyEditScreen)]
const tryPath = '/v2/regions/port-meridian/compliance/try'
const cap = { measure: 'vehicles', shape_uuid: null, shape_name: 'Port Meridian', unit: null } as const
const stored = testPolicy({
  policy_type: 'vehicle_cap',
  policy_name: 'Cap',
  shape_layer_uuid: null,
  maximum: 10,
  fee_properties: { ...testPolicy().fee_properties, vehicle_count_method: 'max' },
})
const published = { ...stored, published: true, published_policy_uuid: stored.policy_uuid }

/** The reply of a server that measured 8 and 12 vehicles, with the requested maximum. */
const judge = ({ body }: { body: unknown }) => {
  const { policy, compare_with: other } = body as {
    policy: { maximum: number | null }
    compare_with: string | null
  }
  const getRecordsFor = (maximum: number | null) =>
    [8, 12].map((measured, index) => {
      const part = { ...cap, maximum, measured, vehicle_count: measured, date: `2026-11-2${index}` }
      return maximum !== null && measured > maximum
        ? aBreach(1, { ...part, reason_code: 'over_maximum' })
        : aRecord({ ...part, reason_code: 'within' })
    })
  return { records: getRecordsFor(policy.maximum), compared: other ? getRecordsFor(10) : null, took_ms: 1200 }
}

beforeEach(() => {
  for (const side of ['clientHeight', 'offsetHeight', 'clientWidth'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(400)
})
afterEach(() => vi.unstubAllGlobals())

async function renderPolicyTest(path = '/edit', responses: Responses = {}, policy = stored) {
  const server = fakeServer({
    ...complianceResponses(),
    ...policiesResponses([policy]),
    [`POST ${tryPath}`]: judge,
    ...responses,
  })
  const router = await renderApp(screens, `/port-meridian/mobility/policies/${constantId}${path}`)
  await screen.findAllByText('Test on past data')
  return {
    ...server,
    router,
    requests: () =>
      server.requests
        .filter((request) => request.path === tryPath)
        .map(
          ({ body }) =>
            body as { policy: Record<string, unknown>; compare_with: string | null; start_date: string },
        ),
  }
}
const openTry = async () => {
  await userEvent.click(screen.getByText('Test on past data', { selector: 'button *' }))
  return screen.findByRole('region', { name: 'Test on past data' })
}

describe('the test of a draft', () => {
  it('shows totals, results by operator, and every measured value', async () => {
    const { requests } = await renderPolicyTest('/edit', {}, published)
    const panel = within(await openTry())
    expect(
      await panel.findByRole('button', { name: /^Days with violations\s*1 of 2 days × 1 operator$/ }),
    ).toBeInTheDocument()
    expect(requests()).toMatchObject([
      { compare_with: null, policy: { maximum: 10, policy_type: 'vehicle_cap' } },
    ])
    expect(
      panel.getByRole('img', {
        name: /^Glide: 2 values measured, from 8 to 12, median 8; 1 outside the limits$/,
      }),
    ).toBeInTheDocument()
    expect(panel.getByRole('slider', { name: 'Maximum' })).toHaveAttribute('aria-valuetext', '10 Vehicles')
    expect(
      within(panel.getByRole('table', { name: 'By operator' })).getByRole('row', { name: /^Glide/ }),
    ).toHaveTextContent('GlideNon-compliant1112')
  })

  it('changes the form when a limit is moved, requests after a pause, and shows the difference', async () => {
    const { requests } = await renderPolicyTest()
    const panel = within(await openTry())
    const slider = await panel.findByRole('slider', { name: 'Maximum' })
    act(() => slider.focus())
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    expect(screen.getByLabelText('Maximum', { selector: 'input' })).toHaveValue('12')
    expect(
      await panel.findByRole('button', { name: /^Violations\s*0\s*Saved: 1 \(-1\)$/ }),
    ).toBeInTheDocument()
    expect(requests().map(({ policy }) => policy['maximum'])).toEqual([10, 12])
    expect(panel.getByText('Results follow your changes. Nothing is saved.')).toBeInTheDocument()
  })

  it('requests nothing for a new name or for an unfinished policy', async () => {
    const { requests } = await renderPolicyTest()
    const panel = within(await openTry())
    await panel.findByRole('slider', { name: 'Maximum' })
    await userEvent.type(screen.getByLabelText(/^Policy name/), ' of all')
    await userEvent.type(screen.getByLabelText('Minimum', { selector: 'input' }), '99')
    expect(await panel.findByText('Finish the policy first')).toBeInTheDocument()
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(
      requests()
        .map(({ policy }) => policy['minimum'])
        .filter((minimum) => minimum === 99),
    ).toEqual([])
    expect(new Set(requests().map(({ policy }) => policy['policy_name'])).size).toBe(1)
  })

  it('the test of a draft can be requested again after a failure', async () => {
    let isBroken = true
    await renderPolicyTest('/edit', {
      [`POST ${tryPath}`]: (request: { body: unknown }) =>
        isBroken ? new ErrorResponse(500, 'x') : judge(request),
    })
    const panel = within(await openTry())
    const retry = await panel.findByRole('button', { name: 'Try again' })
    isBroken = false
    await userEvent.click(retry)
    expect(await panel.findByRole('slider', { name: 'Maximum' })).toBeInTheDocument()
  })
})

it('maps violations, or the difference to the published revision, for a rule in shapes', async () => {
  const parking = testPolicy({
    policy_type: 'no_parking',
    published: false,
    published_policy_uuid: constantId,
  })
  await renderPolicyTest(
    '/edit?try=true',
    { [`POST ${tryPath}`]: () => ({ records: [aBreach(3)], compared: [aBreach(5)], took_ms: 5 }) },
    parking,
  )
  await waitFor(() => expect(lastMap()?.scene.layers[0]?.states.get(shapeId)).toMatchObject({ bin: 0 }))
  expect(
    await screen.findByRole('button', { name: /^Violations\s*3\s*Published: 5 \(-2\)$/ }),
  ).toBeInTheDocument()
  await waitFor(() => expect(lastMap()?.fleet?.read()?.count).toBe(1))
  await userEvent.click(screen.getByRole('radio', { name: 'Difference' }))
  expect(await screen.findByText('Difference from Published')).toBeInTheDocument()
  await waitFor(() => expect(lastMap()?.fleet?.read()?.count).toBe(0))
})

it('a user can try other limits from the page of a policy, without saving', async () => {
  const { requests, router } = await renderPolicyTest('?try=true', signedIn([]), published)
  const slider = await screen.findByRole('slider', { name: 'Maximum' })
  expect(screen.getByText('Each operator has at most 10 vehicles in the whole region.')).toBeInTheDocument()
  expect(screen.queryByRole('switch', { name: /^Compare with/ })).not.toBeInTheDocument()
  act(() => slider.focus())
  await userEvent.keyboard('{PageUp}')
  expect(
    await screen.findByText('Each operator has at most 20 vehicles in the whole region.'),
  ).toBeInTheDocument()
  expect(screen.getByRole('switch', { name: 'Compare with published' })).toBeChecked()
  await waitFor(() =>
    expect(requests().at(-1)).toMatchObject({ compare_with: stored.policy_uuid, policy: { maximum: 20 } }),
  )
  expect(requests()[0]?.compare_with).toBeNull()
  expect(screen.queryByText('Edit this policy')).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})
