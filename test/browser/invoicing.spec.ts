import { expect, test } from './fixtures.ts'

const invoicing = '/port-meridian/mobility/invoicing'

test.use({ role: 'administrator' })
test('invoicing pages have settings, a draft from its creation to its deletion, and a payment that is rejected', async ({
  page,
}) => {
  await page.goto(`${invoicing}?tab=settings`)
  const settings = page.getByRole('form', { name: 'Invoice settings' })
  await settings.getByRole('textbox', { name: 'Name' }).fill('City of Port Meridian')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The settings were saved')).toBeVisible()
  await settings.getByRole('textbox', { name: /^Invoices/ }).fill('{region}-{year}')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings.getByText('The number needs {seq} once').first()).toBeVisible()
  await settings.getByRole('button', { name: 'Undo changes' }).click()

  await page.getByRole('tab', { name: 'Invoices' }).click()
  await expect(page).toHaveURL(/tab=invoices/)
  await page.getByRole('button', { name: 'New draft' }).click()
  const dialog = page.getByRole('dialog', { name: 'New draft invoice' })
  await dialog.getByRole('combobox', { name: 'Operator' }).click()
  await page.getByRole('option', { name: 'Zephyr' }).click()
  await dialog.getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Draft invoice' })).toBeVisible()
  await expect(page.getByText('City of Port Meridian')).toBeVisible()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit the draft' })
  await edit.getByRole('textbox', { name: 'Purchase order' }).fill('PO-2026-117')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('PO-2026-117')).toBeVisible()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete draft' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click()
  await expect(page.getByText('There are no invoices yet')).toBeVisible()

  await page.getByRole('tab', { name: 'Payments' }).click()
  await page.getByRole('button', { name: 'Record payment' }).click()
  const payment = page.getByRole('dialog', { name: 'Record payment' })
  await payment.getByRole('textbox', { name: 'Invoice number' }).fill('port-meridian-1999-1')
  await payment.getByRole('textbox', { name: 'Amount' }).fill('10')
  await payment.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(payment.getByRole('alert')).toContainText('port-meridian-1999-1')
})
