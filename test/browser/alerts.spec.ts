import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator } from '@playwright/test'
import { signIns } from '../../demo/sign-ins.ts'
import { expectClean } from './clean.ts'
import { expect, findInMessage, type Page, test } from './fixtures.ts'

const policy = 'No parking in the Old Port by night'
const { email: planner = '' } = signIns.find(({ role }) => role === 'planner') ?? {}

interface Delivery {
  headers: http.IncomingHttpHeaders
  body: string
}

/** Opens a server of the city that is called as a webhook. */
async function openWebhookServer(): Promise<{
  url: string
  deliveries: Delivery[]
  close: () => Promise<void>
}> {
  const deliveries: Delivery[] = []
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => parts.push(chunk))
      .on('end', () => {
        deliveries.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
        response.writeHead(204).end()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/violations`,
    deliveries,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

const findCard = (page: Page, text: string): Locator =>
  page.getByRole('list', { name: 'Violation alerts' }).getByRole('listitem').filter({ hasText: text })

/** Opens the form of a new alert and chooses the policy, by keyboard. */
async function startAlert(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add an alert' }).press('Enter')
  await page.getByRole('combobox', { name: 'Policy' }).focus()
  await page.keyboard.type('Old Port')
  // The policies may still be loading.
  await expect(page.getByRole('option', { name: policy }).first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue(policy)
}

test.use({ role: 'planner' })
test('alerts of new violations by email and by webhook are added, tested and ended by keyboard', async ({
  page,
}) => {
  const server = await openWebhookServer()
  await page.goto('/port-meridian/mobility/policies/compliance')
  const opener = page.getByRole('button', { name: 'Alerts' })
  await opener.press('Enter')
  await expect(page.getByText('No alerts yet')).toBeVisible()

  await startAlert(page)
  await page.getByRole('radio', { name: 'E-mail immediately' }).press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Daily e-mail' })).toBeChecked()
  await expectClean(page, 'an alert being added')
  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
  const mail = findCard(page, 'Daily e-mail')
  await expect(mail).toContainText(`${policy} · All operators`)

  await startAlert(page)
  await page.getByRole('radio', { name: 'E-mail', exact: true }).press('ArrowRight')
  await page.getByLabel('URL').fill(server.url)
  await page.getByLabel('URL').press('Enter')
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Secret' })).toBeVisible()
  await expectClean(page, 'the secret of a webhook')
  await page.getByRole('button', { name: 'I have copied it' }).press('Enter')

  const webhook = findCard(page, server.url)
  for (const card of [mail, webhook]) {
    await card.getByRole('button', { name: /^Send a test/ }).press('Enter')
    await expect(card).toContainText('Sent')
  }
  await findInMessage(page, planner, /(Test)/i)
  const [delivery] = server.deliveries
  const {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': signature,
  } = delivery?.headers ?? {}
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  expect(signature).toBe(
    `v1,${createHmac('sha256', key).update(`${id}.${time}.${delivery?.body}`).digest('base64')}`,
  )
  expect(JSON.parse(delivery?.body ?? '{}')).toMatchObject({ data: { region_id: 'port-meridian' } })
  await expectClean(page, 'the list of alerts')

  await webhook.getByRole('button', { name: /^Messages of/ }).press('Enter')
  await expect(page.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toContainText('Test')
  await page.getByRole('button', { name: 'Back' }).press('Enter')

  for (const [card, text] of [
    [webhook, 'The webhook will no longer be called.'],
    [mail, 'You will no longer get these e-mails.'],
  ] as const) {
    await card.getByRole('button', { name: /^Remove/ }).press('Enter')
    const question = page.getByRole('dialog', { name: 'Remove this alert?' })
    await expect(question).toContainText(text)
    await question.getByRole('button', { name: 'Remove' }).press('Enter')
    await expect(card).toHaveCount(0)
  }
  await expect(page.getByText('No alerts yet')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
  await server.close()
})
