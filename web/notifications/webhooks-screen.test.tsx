import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Webhook, WebhookDelivery } from '#contract/webhooks.ts'
import { fakeServer } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { WebhooksScreen } from './webhooks-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/admin/webhooks', 'shell:pages.webhooks', WebhooksScreen, 'is_admin'),
]
const id = '7a1c8f0e-3b52-4b1e-9d6f-2c5a9e8b4d10'
const listPath = '/v2/regions/port-meridian/webhooks'
const delivery: WebhookDelivery = {
  delivery_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  event: 'policy.published',
  created_time: '2026-03-01T12:00:00.000Z',
  state: 'failed',
  tries: 11,
  next_time: null,
  done_time: '2026-03-04T12:00:00.000Z',
  http_status: 503,
  problem: 'It answered 503.',
}
const webhook: Webhook = {
  webhook_id: id,
  region_id: 'port-meridian',
  url: 'https://city.example/hooks',
  events: ['policy.published'],
  owner_email: 'ada@city.example',
  created_time: '2026-03-01T12:00:00.000Z',
  disabled_time: null,
  last: delivery,
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1400)
})
afterEach(() => vi.unstubAllGlobals())

async function renderScreen(items: readonly Webhook[]) {
  const server = fakeServer({
    ...signedIn(),
    [`GET ${listPath}`]: () => ({ items }),
    [`POST ${listPath}`]: () => ({ webhook, secret: 'whsec_abc' }),
    [`GET ${listPath}/${id}/deliveries`]: () => ({ items: [delivery] }),
    [`POST ${listPath}/${id}/deliveries/${delivery.delivery_id}/replay`]: () => delivery,
  })
  await renderApp(screens, '/admin/webhooks')
  return () =>
    server.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, body }) => [method, path, body])
}
const findDialog = async () => within(await screen.findByRole('dialog', { hidden: true }))

it('adds a webhook with its events, and shows its secret once', async () => {
  const changes = await renderScreen([])
  await userEvent.click((await screen.findAllByText('Add a webhook'))[0]!)
  const form = await findDialog()
  await userEvent.click(form.getByLabelText(/^Address/))
  await userEvent.paste('https://city.example/hooks')
  await userEvent.click(form.getByLabelText('Invoice paid'))
  await userEvent.click(form.getByText('Add webhook'))
  expect(await screen.findByDisplayValue('whsec_abc')).toBeInTheDocument()
  expect(changes()).toEqual([
    ['POST', listPath, { url: 'https://city.example/hooks', events: ['invoice.paid'] }],
  ])
})

it('shows the messages of a webhook, and resends one that failed', async () => {
  const changes = await renderScreen([webhook])
  await userEvent.click(await screen.findByLabelText('Actions for https://city.example/hooks'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Messages', hidden: true }))
  const log = await findDialog()
  expect(await log.findByText('It answered 503.')).toBeInTheDocument()
  await userEvent.click(log.getByText('Send again'))
  await waitFor(() =>
    expect(changes()).toEqual([
      ['POST', `${listPath}/${id}/deliveries/${delivery.delivery_id}/replay`, null],
    ]),
  )
})
