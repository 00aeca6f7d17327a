import { QueryClientProvider } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Alert, AlertSubscription } from '#contract/compliance-alerts.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { createQueryClient } from '#web/data/query.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { constantId, testPolicy } from '#web/policies/test-policy.ts'
import { MeProvider } from '#web/shell/me.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { policiesResponses } from '#web/policies/test-policy-responses.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { AlertsButton } from './alerts-button.tsx'
import { EndAlertsScreen } from './end-alerts-screen.tsx'

const id = (digit: number): string => `aaaaaaaa-0000-4000-8000-00000000000${digit}`
const anAlert = (some: Partial<Alert> = {}): Alert => ({
  alert_id: id(9),
  subscription_id: id(1),
  is_test: false,
  policy_name: 'No rides',
  records: 3,
  created_time: '2026-05-04T14:00:00Z',
  state: 'done',
  tries: 1,
  next_time: null,
  done_time: '2026-05-04T14:00:01Z',
  http_status: 200,
  problem: null,
  ...some,
})
const makeSubscription = (some: Partial<AlertSubscription> = {}): AlertSubscription => ({
  subscription_id: id(1),
  region_id: 'port-meridian',
  constant_policy_uuid: null,
  policy_name: null,
  operator: null,
  channel: 'email',
  cadence: 'daily',
  url: null,
  first_day: '2026-05-01',
  created_time: '2026-05-01T12:00:00Z',
  disabled_time: null,
  last: null,
  ...some,
})
const hook = makeSubscription({
  subscription_id: id(2),
  constant_policy_uuid: constantId,
  policy_name: 'No rides',
  operator: 'glide',
  channel: 'webhook',
  cadence: 'immediate',
  url: 'https://hook.example/1',
  last: anAlert({
    state: 'waiting',
    tries: 2,
    next_time: '2026-05-04T14:06:00Z',
    problem: 'It answered 503.',
    http_status: 503,
  }),
})
const api = '/v2/regions/port-meridian/compliance/subscriptions'

afterEach(() => vi.unstubAllGlobals())

async function renderButton(
  items: AlertSubscription[],
  responses: Responses = {},
  policy?: { constant_policy_uuid: string },
) {
  const server = fakeServer({
    ...signedIn(),
    ...policiesResponses([
      testPolicy({ published: true, published_policy_uuid: id(7), policy_name: 'No rides' }),
    ]),
    [`GET ${api}`]: () => ({ items }),
    ...responses,
  })
  await renderPart(
    <QueryClientProvider client={createQueryClient()}>
      <MeProvider>
        <AlertsButton regionId="port-meridian" timezone="America/New_York" policy={policy} />
      </MeProvider>
    </QueryClientProvider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts' }))
  return server
}
const listPosts = ({ requests }: { requests: { method: string; path: string; body: unknown }[] }) =>
  requests.findLast(({ method, path }) => method === 'POST' && path.startsWith(api))

describe('alerts', () => {
  it('alerts list the policy, the channel, and the status of the last message', async () => {
    await renderButton([makeSubscription(), hook])
    const [mail, webhook] = await screen.findAllByRole('listitem')
    expect(mail).toHaveTextContent('All policies · All operators')
    expect(mail).toHaveTextContent('Daily e-mail')
    expect(mail).toHaveTextContent('Alerts cover violations from Fri, May 1 on.')
    await waitFor(() => expect(webhook).toHaveTextContent('No rides · Glide'))
    for (const text of [
      'https://hook.example/1',
      'Resent',
      '3 records: No rides',
      '2 attempts',
      'next attempt May 4, 2026, 10:06 AM',
      'It answered 503.',
    ])
      expect(webhook).toHaveTextContent(text)
    expect(within(mail as HTMLElement).queryByRole('button', { name: /New secret/ })).not.toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(screen.getByRole('button', { name: 'Alerts' })).toHaveFocus()
  })

  it('alerts are added with email as channel, for the policy of the page', async () => {
    const server = await renderButton(
      [],
      { [`POST ${api}`]: () => ({ subscription: makeSubscription(), secret: null }) },
      { constant_policy_uuid: constantId },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Add an alert' }))
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Policy' })).toHaveValue('No rides'))
    expect(screen.getByText('Sent to ada@city.example')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('radio', { name: 'Daily e-mail' }))
    await userEvent.click(screen.getByRole('button', { name: 'Add' }))
    await waitFor(() =>
      expect(listPosts(server)?.body).toEqual({
        constant_policy_uuid: constantId,
        operator: null,
        channel: 'email',
        cadence: 'daily',
      }),
    )
    expect(await screen.findByText('No alerts yet')).toBeInTheDocument()
  })

  it('alerts are added with a webhook; the secret is shown until it was copied', async () => {
    let refuses = true
    const server = await renderButton([], {
      [`POST ${api}`]: () =>
        refuses
          ? new ErrorResponse(422, 'url: It is at an address that is not public.')
          : { subscription: hook, secret: 'pwsec_once' },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Add an alert' }))
    await userEvent.click(screen.getByRole('radio', { name: 'Webhook' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'URL' }), 'https://hook.example/1')
    await userEvent.click(screen.getByRole('button', { name: 'Add' }))
    expect(await screen.findByText('It is at an address that is not public.')).toBeInTheDocument()
    refuses = false
    await userEvent.click(screen.getByRole('button', { name: 'Add' }))
    expect(await screen.findByRole('textbox', { name: 'Secret' })).toHaveValue('pwsec_once')
    expect(listPosts(server)?.body).toEqual({
      constant_policy_uuid: null,
      operator: null,
      channel: 'webhook',
      url: 'https://hook.example/1',
    })
    await userEvent.keyboard('{Escape}')
    expect(screen.getByRole('textbox', { name: 'Secret' })).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'I have copied it' }))
    expect(await screen.findByText('No alerts yet')).toBeInTheDocument()
  })

  it('alerts can be tested, and list their messages', async () => {
    const path = `${api}/${hook.subscription_id}`
    const server = await renderButton([hook], {
      [`POST ${path}/test`]: () => anAlert({ is_test: true }),
      [`GET ${path}/alerts`]: () => ({
        items: [
          anAlert({ is_test: true, policy_name: null, records: 0 }),
          anAlert({ alert_id: id(8), state: 'failed', tries: 7, problem: 'No response within 10 seconds.' }),
        ],
      }),
    })
    await userEvent.click(await screen.findByRole('button', { name: /^Send a test of No rides/ }))
    await waitFor(() => expect(listPosts(server)?.path).toBe(`${path}/test`))
    await userEvent.click(screen.getByRole('button', { name: /^Messages of No rides/ }))
    const [test, failed] = within(await screen.findByRole('list', { name: 'Messages' })).getAllByRole(
      'listitem',
    )
    expect(test).toHaveTextContent('SentTest')
    for (const text of ['Failed', '7 attempts', 'No response within 10 seconds.'])
      expect(failed).toHaveTextContent(text)
    await userEvent.click(screen.getByRole('button', { name: 'Back' }))
    expect(await screen.findByRole('button', { name: /^Remove No rides/ })).toBeInTheDocument()
  })

  it('alerts get a new secret, and are ended, only after confirmation', async () => {
    const path = `${api}/${hook.subscription_id}`
    const server = await renderButton([hook], {
      [`POST ${path}/secret`]: () => ({ secret: 'pwsec_new' }),
      [`DELETE ${path}`]: () => ({ ended: true }),
    })
    await userEvent.click(await screen.findByRole('button', { name: /^New secret for No rides/ }))
    expect(screen.getByRole('dialog')).toHaveTextContent('Create a new webhook secret?')
    await userEvent.click(screen.getByRole('button', { name: 'New secret' }))
    expect(await screen.findByRole('textbox', { name: 'Secret' })).toHaveValue('pwsec_new')
    await userEvent.click(screen.getByRole('button', { name: 'I have copied it' }))
    await userEvent.click(await screen.findByRole('button', { name: /^Remove No rides/ }))
    expect(screen.getByRole('dialog')).toHaveTextContent('The webhook will no longer be called.')
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await waitFor(() =>
      expect(server.requests.some((request) => request.method === 'DELETE' && request.path === path)).toBe(
        true,
      ),
    )
  })
})

it('the link in an email ends the subscription on click, not on load', async () => {
  const { requests } = fakeServer({ 'POST /v2/alert_subscriptions/unsubscribe': () => ({ ended: true }) })
  await renderApp(
    [
      makeScreenEntry(
        '/unsubscribe/violations/$token',
        'compliance:alerts.unsubscribe.page',
        EndAlertsScreen,
        'public',
      ),
    ],
    `/unsubscribe/violations/${id(3)}`,
  )
  expect(await screen.findByText('Stop e-mails about violations?')).toBeInTheDocument()
  expect(requests).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Stop these e-mails' }))
  expect(await screen.findByText('E-mails stopped')).toBeInTheDocument()
  expect(requests[0]?.body).toEqual({ token: id(3) })
})
