import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { lastMap } from '#web/map/test-map-view.tsx'
import { layerId, shapeId } from '#web/map-page/test-geography.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { constantId, policyId, testPolicy } from './test-policy.ts'
import { policiesResponses } from './test-policy-responses.ts'
import { PolicyCreateScreen } from './policy-create-screen.tsx'
import { PolicyDuplicateScreen } from './policy-duplicate-screen.tsx'
import { PolicyEditScreen } from './policy-edit-screen.tsx'
import { PolicyScreen } from './policy-screen.tsx'

const base = '/$regionId/mobility/policies'
const library = '/port-meridian/mobility/policies'
const Library = () => <p>The library</p>
const makeEntry = (path: string, Screen: ScreenEntry['Screen']): ScreenEntry =>
  makeScreenEntry(`${base}${path}`, 'shell:pages.policy', Screen)
const screens = [
  makeEntry('', Library),
  makeEntry('/create', PolicyCreateScreen),
  makeEntry('/duplicate', PolicyDuplicateScreen),
  makeEntry('/$policyId', PolicyScreen),
  makeEntry('/$policyId/edit', PolicyEditScreen),
]
const stored = testPolicy()
const theirs = {
  ...stored,
  policy_name: 'Theirs',
  modified_time: '2026-11-21T10:00:00.000Z',
  modified_by_email: 'grace@city.example',
}
/** Makes the first save fail with a conflict. */
function refuseOnce(): void {
  const plainFetch = globalThis.fetch
  let isRefused = false
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (isRefused || !address.endsWith('/policies/save')) return plainFetch(address, init)
    isRefused = true
    return Promise.resolve(
      Response.json(
        {
          success: false,
          code: 'conflict',
          status: 409,
          title: 'x',
          detail: 'Changed meanwhile.',
          id: 'quote-me',
          current: theirs,
        },
        { status: 409 },
      ),
    )
  })
}

beforeEach(() => {
  for (const side of ['clientHeight', 'offsetHeight', 'clientWidth'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(400)
})
afterEach(() => vi.unstubAllGlobals())

async function renderScreen(path: string, responses: Responses = {}) {
  const server = fakeServer({ ...policiesResponses([stored]), ...responses })
  const router = await renderApp(screens, `${library}${path}`)
  const name =
    path.includes('edit') || path.includes('create') || path.includes('duplicate')
      ? await screen.findByLabelText(/^Policy name/)
      : null
  return {
    ...server,
    router,
    name: name!,
    saves: () =>
      server.requests
        .filter(({ path: at }) => at === '/v2/policies/save')
        .map(({ body }) => body as Record<string, unknown>),
  }
}
const save = () => userEvent.click(screen.getByText('Save', { selector: 'button *' }))

describe('an edited policy', () => {
  it('an edited policy is not saved with errors: they are shown, and the first invalid field gets the focus', async () => {
    const { name, saves } = await renderScreen(`/${constantId}/edit`)
    await userEvent.clear(name)
    await userEvent.type(name, '{Enter}')
    expect(screen.queryByText('Please resolve errors to save.')).not.toBeInTheDocument()
    await save()
    expect(await screen.findByText('Please resolve errors to save.')).toBeInTheDocument()
    expect(name).toHaveFocus()
    expect(name).toHaveAccessibleDescription('Please enter a value')
    expect(saves()).toEqual([])
    await userEvent.type(name, 'Night')
    expect(screen.queryByText('Please resolve errors to save.')).not.toBeInTheDocument()
  })

  it('an edited policy is saved with its version and returns to the library; shapes are selected on the map', async () => {
    const { saves, router } = await renderScreen(`/${constantId}/edit`, {
      'POST /v2/policies/save': ({ body }) => ({ plcy: { ...stored, ...(body as object) } }),
    })
    await waitFor(() => expect(lastMap()?.scene.layers[0]?.states.size).toBe(1))
    act(() => lastMap()?.onHover?.(shapeId))
    await waitFor(() => expect(router.state.location.search).toEqual({ hover: shapeId }))
    act(() => lastMap()?.onSelect(shapeId))
    await save()
    expect(await screen.findByText('The library')).toBeInTheDocument()
    expect(saves()[0]).toMatchObject({
      policy_uuid: policyId,
      constant_policy_uuid: constantId,
      if_modified_time: stored.modified_time,
      region_id: 'port-meridian',
      shape_layer_uuid: layerId,
      shape_uuids: [shapeId],
    })
  })

  it('shows what another user changed in the meantime, and saves the selected values', async () => {
    const { name, saves } = await renderScreen(`/${constantId}/edit`, {
      'POST /v2/policies/save': () => ({ plcy: stored }),
    })
    refuseOnce()
    await userEvent.type(name, ' at night')
    await save()
    const dialog = within((await screen.findByText('Somebody else changed this policy')).closest('section')!)
    await userEvent.click(dialog.getByText('Take theirs'))
    await userEvent.click(dialog.getByText('Save my choice'))
    expect(await screen.findByText('The library')).toBeInTheDocument()
    expect(saves()[0]).toMatchObject({
      policy_name: 'Theirs',
      if_modified_time: theirs.modified_time,
      policy_uuid: policyId,
    })
  })

  it("shows why it cannot be saved, and the server's errors at their fields", async () => {
    let response = new ErrorResponse(500, 'Internal Server Error')
    const { name } = await renderScreen(`/${constantId}/edit`, { 'POST /v2/policies/save': () => response })
    await userEvent.type(name, '!')
    await save()
    expect(await screen.findByText('ERROR SAVING POLICY')).toBeInTheDocument()
    expect(screen.getByText('This policy cannot be saved.')).toBeInTheDocument()
    await userEvent.click(screen.getByText('OK'))
    response = new ErrorResponse(422, 'Please resolve errors to save.', 'validation_error', {
      issues: { 'body.operators': "There is no operator 'x'." },
    })
    await save()
    expect(await screen.findByText("There is no operator 'x'.")).toBeInTheDocument()
  })

  it('asks before unsaved changes are discarded', async () => {
    const { name, router } = await renderScreen(`/${constantId}/edit`)
    await userEvent.type(name, '!')
    await userEvent.click(screen.getByText('Cancel'))
    expect(
      await screen.findByText('Leaving this page will result in any changes to your policy being lost.'),
    ).toBeInTheDocument()
    expect(router.state.location.pathname).toBe(`${library}/${constantId}/edit`)
    await userEvent.click(screen.getByText('Leave'))
    await waitFor(() => expect(router.state.location.pathname).toBe(`${library}/${constantId}`))
  })

  it('discards only the draft of a published policy, after confirmation, whatever was typed', async () => {
    const published = 'aaaaaaaa-0000-4000-8000-00000000000f'
    const beside = { ...stored, published_policy_uuid: published }
    const { name, router, requests } = await renderScreen(`/${constantId}/edit`, {
      [`GET /v2/policies/constant/${constantId}`]: () => ({ policy: beside }),
      'POST /v2/policies/discard_draft': () => ({
        plcy: { ...beside, policy_uuid: published, published: true },
      }),
    })
    await userEvent.type(name, '!')
    await userEvent.click(screen.getByText('Discard draft'))
    const dialog = within((await screen.findByText('DISCARD DRAFT?')).closest('section')!)
    await userEvent.click(dialog.getByText('Discard draft'))
    await waitFor(() => expect(router.state.location.pathname).toBe(`${library}/${constantId}`))
    expect(requests.find(({ path }) => path === '/v2/policies/discard_draft')?.body).toEqual({
      policy_uuid: policyId,
      if_modified_time: stored.modified_time,
    })
  })

  it('an edited policy has nothing to discard if a published policy has no draft', async () => {
    await renderScreen(`/${constantId}/edit`)
    expect(screen.queryByText('Discard draft')).not.toBeInTheDocument()
  })
})

it('saves a copy as a new policy with its own name; variable prices show a notice', async () => {
  const fee = {
    ...stored.fee_properties,
    parking_fee_type: 'variable_price_schedule' as const,
    prices: { all: [{ start_time: null, end_time: null, price: 1 }] },
  }
  const priced = testPolicy({ policy_type: 'parking_fees', fee_properties: fee, published: true })
  const { name, saves } = await renderScreen(`/duplicate?policy=${constantId}`, {
    [`GET /v2/policies/constant/${constantId}`]: () => ({ policy: priced }),
    'POST /v2/policies/save': () => ({ plcy: priced }),
  })
  expect(name).toHaveValue('Wharf (copy)')
  await save()
  expect(await screen.findByText('FEE DATA PROCESSING')).toBeInTheDocument()
  expect(saves()[0]).not.toHaveProperty('policy_uuid')
  expect(saves()[0]).not.toHaveProperty('published')
})

it('shows a message for an unknown policy', async () => {
  await renderScreen('/no-id')
  expect(await screen.findByText("The policy you selected can't be found")).toBeInTheDocument()
})

it('the page of a policy shows its rule, its history and the available actions', async () => {
  const revision = {
    policy_uuid: policyId,
    revision: 2,
    state: 'draft',
    policy_name: 'Wharf',
    created_time: stored.created_time,
    created_by_email: null,
    modified_time: stored.modified_time,
    modified_by_email: 'ada@city.example',
    published_time: null,
    published_by_email: null,
    unpublished_time: null,
    changes: [{ field: 'days', before: [], after: [6, 7] }],
  }
  await renderScreen(`/${constantId}`, {
    [`GET /v2/policies/constant/${constantId}/revisions`]: () => ({ items: [revision] }),
  })
  expect(await screen.findByText('No riding in all areas of Wards.')).toBeInTheDocument()
  expect(await screen.findByText('Days: Every day → Saturday and Sunday')).toBeInTheDocument()
  expect(screen.getByText(/^Changed Nov 20, 2026.* by ada@city.example$/)).toBeInTheDocument()
  await userEvent.click(screen.getByText('Publish', { selector: 'button *' }))
  expect(await screen.findByText('PUBLISH POLICY?')).toBeInTheDocument()
})
