import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { PolicyAction } from './policy-actions.ts'
import { testPolicy } from './test-policy.ts'
import { renderWithRequests } from './test-requests.tsx'
import { PolicyActionDialog } from './policy-action-dialog.tsx'

const [onClose, onDone] = [vi.fn<() => void>(), vi.fn<() => void>()]
const policy = testPolicy()
const seen = { policy_uuid: policy.policy_uuid, if_modified_time: policy.modified_time }
const openDialog = async (
  action: PolicyAction,
  responses: Responses,
  overrides: Partial<typeof policy> = {},
) => {
  const server = fakeServer(responses)
  await renderWithRequests(
    <PolicyActionDialog
      action={action}
      policy={{ ...policy, ...overrides }}
      region={{ timezone: 'America/New_York', currencyCode: 'USD' }}
      onClose={onClose}
      onDone={onDone}
    />,
  )
  return server
}
const confirm = (word: string) => userEvent.click(screen.getByText(word, { selector: 'button *' }))

afterEach(() => {
  vi.unstubAllGlobals()
  onClose.mockClear()
  onDone.mockClear()
})

it.each([
  [
    'publish',
    'PUBLISH POLICY?',
    'Publishing the policy will make it viewable through the public MDS feed.',
    'Publish',
    '/v2/policies/publish',
    { ...seen, published: true },
  ],
  [
    'unpublish',
    'UNPUBLISH POLICY?',
    'Unpublishing the policy will remove it from the public MDS feed.',
    'Unpublish',
    '/v2/policies/publish',
    { ...seen, published: false },
  ],
  [
    'discard',
    'DISCARD DRAFT?',
    'The draft will be deleted. The published policy does not change.',
    'Discard draft',
    '/v2/policies/discard_draft',
    seen,
  ],
  [
    'delete',
    'ARE YOU SURE?',
    'Are you sure you want to delete this policy?',
    'Delete',
    '/v2/policies/delete',
    seen,
  ],
] as const)(
  '%s is confirmed first, and sent with the version that was seen',
  async (action, title, text, word, path, body) => {
    const { requests } = await openDialog(action, {
      [`POST ${path}`]: () => ({ plcy: policy, deleted: true }),
    })
    expect(screen.getByText(title)).toBeInTheDocument()
    expect(screen.getByText(text)).toBeInTheDocument()
    expect(requests).toEqual([])
    await confirm(word)
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(onClose).toHaveBeenCalledOnce()
    expect(requests[0]).toMatchObject({ path, body })
  },
)

it('makes no request to publish an expired policy', async () => {
  await openDialog('publish', {}, { status: 'expired' })
  expect(screen.getByText('EXPIRED POLICY')).toBeInTheDocument()
  expect(screen.getByText('This policy is expired and cannot be published.')).toBeInTheDocument()
})

it('says that an unsaved policy must be saved first', async () => {
  await openDialog('publish', {}, { policy_uuid: '' })
  expect(screen.getByText('ERROR MODIFYING POLICY')).toBeInTheDocument()
  expect(screen.getByText('Save this policy and reload the page to modify.')).toBeInTheDocument()
})

it.each([
  [
    'unpublish',
    'Unpublish',
    '/v2/policies/publish',
    'ERROR MODIFYING POLICY',
    'This policy cannot be modified. Please reload the page and try again.',
  ],
  [
    'discard',
    'Discard draft',
    '/v2/policies/discard_draft',
    'ERROR MODIFYING POLICY',
    'This policy cannot be modified. Please reload the page and try again.',
  ],
  ['delete', 'Delete', '/v2/policies/delete', 'ERROR DELETING POLICY', 'This policy cannot be deleted.'],
] as const)('%s shows the refusal of the server', async (action, word, path, title, text) => {
  await openDialog(action, { [`POST ${path}`]: () => new ErrorResponse(409, 'Somebody was faster.') })
  await confirm(word)
  expect(await screen.findByText(title)).toBeInTheDocument()
  for (const said of [text, 'Somebody was faster.', /quote-me/])
    expect(screen.getByText(said)).toBeInTheDocument()
  expect(onDone).not.toHaveBeenCalled()
})

it('suggests a reload if there is no response', async () => {
  await openDialog('publish', {
    'POST /v2/policies/publish': () => {
      throw new TypeError('down')
    },
  })
  await confirm('Publish')
  expect(await screen.findByText('ERROR')).toBeInTheDocument()
  expect(screen.getByText('Unable to modify policy. Please reload the page.')).toBeInTheDocument()
})

it.each([
  [null, /^Takes effect \d+:\d\d.[AP]M$/],
  ['2999-12-01', /^Takes effect Dec 1, 2999, 12:00.AM$/],
])('publishing shows when the policy takes effect: from %s', async (start_date, text) => {
  vi.setSystemTime('2026-05-01T15:00:00Z')
  await openDialog('publish', {}, { start_date })
  expect(screen.getByText(text)).toBeInTheDocument()
  expect(screen.getByText(/Operators get at least 20 minutes/)).toBeInTheDocument()
  vi.useRealTimers()
})

it('repeats which rates are not charged before a policy is published', async () => {
  const rule = {
    name: 'Cap',
    rule_id: 'r',
    rule_type: 'count' as const,
    rule_units: 'devices' as const,
    geographies: ['g'],
    maximum: 5,
    rate_amount: 100,
    rate_recurrence: 'each_time_unit' as const,
    rate_applies_when: 'in_bounds' as const,
  }
  const mds = { rules: [rule], currency: 'USD', provider_ids: [], places: [] }
  await openDialog('publish', {}, { policy_type: 'mds', imported_mds: mds })
  expect(screen.getByText('The rates of this policy are not charged')).toBeInTheDocument()
  expect(screen.getByText(/^Cap: it counts up to a limit/)).toBeInTheDocument()
})
