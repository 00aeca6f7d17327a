import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { ReportFilters, type ReportRun, type ReportSchedule } from '#contract/report-schedules.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { EndReportScreen } from './end-report-screen.tsx'
import { SchedulesButton } from './schedules-button.tsx'

const path = '/v2/regions/port-meridian/report_schedules'
const id = '00000000-0000-4000-8000-000000000001'
const run: ReportRun = {
  run_id: '00000000-0000-4000-8000-000000000002',
  start_date: '2026-04-27',
  end_date: '2026-05-03',
  state: 'failed',
  is_manual: false,
  created_time: '2026-05-04T11:00:00.000Z',
  mails: { sent: 2, waiting: 0, failed: 1 },
}
const schedule = (over: Partial<ReportSchedule> = {}): ReportSchedule => ({
  schedule_id: id,
  report: 'trip_counts',
  cadence: 'weekly',
  day: 1,
  filters: ReportFilters.parse({}),
  created_by: 'ada@city.example',
  can_edit: true,
  recipients: [
    { email: 'ada@city.example', has_unsubscribed: false },
    { email: 'ben@city.example', has_unsubscribed: true },
  ],
  next_time: '2026-05-11T11:00:00.000Z',
  last_run: run,
  ...over,
})

const pageFilters = ReportFilters.parse({
  operators: ['lark'],
  vehicle_types: ['moped'],
  days: [6],
  hour_filters: [7, 9],
  parking_limit: 2880,
})
/** The page's filters that the report has: no limit of parking. */
const filters = { ...pageFilters, parking_limit: 1440 }
const filtersText = /^Filters: Lark · .*[Mm]oped.* · Saturday · 7:00.AM–10:00.AM$/

async function renderDialog(items: ReportSchedule[], responses: Responses = {}) {
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/operators': () => ({ items: [{ slug: 'lark', name: 'Lark' }] }),
    [`GET ${path}`]: () => ({ items }),
    [`GET ${path}/${id}/runs`]: () => ({ items: [run] }),
    ...responses,
  })
  await renderApp(
    [
      {
        path: '/$regionId/report',
        title: 'shell:pages.home',
        permission: 'signed_in',
        Screen: () => (
          <SchedulesButton
            report="mobility_metrics"
            pageFilters={pageFilters}
            regionId="port-meridian"
            timezone="America/New_York"
          />
        ),
      },
    ],
    '/port-meridian/report',
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Schedule' }))
  return () =>
    server.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path: at, body }) => [method, at, body])
}
const chooseAction = async (name: string): Promise<void> => {
  await userEvent.click(await screen.findByLabelText('Actions for Vehicle & Trip Counts'))
  await userEvent.click(await screen.findByText(name))
}

it('schedules a report for users by email address, and shows errors', async () => {
  const changes = await renderDialog([], {
    [`POST ${path}`]: () =>
      new ErrorResponse(422, 'eve@city.example is not a user of this region.', 'validation_error'),
  })
  await userEvent.click(await screen.findByText('Add schedule'))
  const form = within(await screen.findByRole('dialog', { hidden: true }))
  expect(await form.findByText(filtersText)).toBeInTheDocument()
  await userEvent.click(form.getByText('Monthly'))
  await userEvent.type(form.getByPlaceholderText('name@city.example'), 'eve@city.example,')
  await userEvent.click(form.getByRole('button', { name: 'Save', hidden: true }))
  expect(await form.findByText(/not a user of this region/)).toBeInTheDocument()
  expect(changes()).toEqual([
    [
      'POST',
      path,
      { report: 'mobility_metrics', cadence: 'monthly', day: 1, filters, recipients: ['eve@city.example'] },
    ],
  ])
})

it('lists report, times and recipients; runs a schedule, and deletes it after confirmation', async () => {
  const changes = await renderDialog([schedule()], {
    [`POST ${path}/${id}/run`]: () => run,
    [`DELETE ${path}/${id}`]: () => ({ deleted: true }),
  })
  const dialog = within(await screen.findByRole('dialog', { hidden: true }))
  expect(await dialog.findByText('Every Monday')).toBeInTheDocument()
  expect(dialog.getByText('ada@city.example, ben@city.example (unsubscribed)')).toBeInTheDocument()
  expect(dialog.getByText('1 failed, 2 sent')).toBeInTheDocument()
  await chooseAction('Run now')
  await chooseAction('Delete')
  await userEvent.click(await screen.findByRole('button', { name: 'Delete', hidden: true }))
  await waitFor(() =>
    expect(changes().map(([method, at]) => [method, at])).toEqual([
      ['POST', `${path}/${id}/run`],
      ['DELETE', `${path}/${id}`],
    ]),
  )
})

it('the history has the PDF of each run', async () => {
  await renderDialog([schedule({ can_edit: false })])
  await chooseAction('History')
  const link = await screen.findByRole('link', { name: /^PDF of/, hidden: true })
  expect(link).toHaveAttribute('href', `${path}/${id}/pdf?run_id=${run.run_id}`)
})

it('shows why a run failed, and keeps the list', async () => {
  await renderDialog([schedule()], {
    [`POST ${path}/${id}/run`]: () => new ErrorResponse(409, 'It is running.', 'conflict'),
  })
  await chooseAction('Run now')
  const alert = await screen.findByText('The report could not be run')
  expect(alert.parentElement).toHaveTextContent('It is running.')
  expect(screen.getByText('Every Monday')).toBeInTheDocument()
})

it('shows that there are none, and why the list cannot be loaded', async () => {
  await renderDialog([])
  expect(await screen.findByText('No scheduled reports')).toBeInTheDocument()
  expect(screen.getByText(/PDF at 7:00 AM \(America\/New_York\)/)).toBeInTheDocument()
  cleanup()
  await renderDialog([], { [`GET ${path}`]: () => new ErrorResponse(500, 'The store is down.') })
  expect(await screen.findByText('The store is down.')).toBeInTheDocument()
})

it("lists a monthly schedule that never ran with its next run in the region's time zone", async () => {
  await renderDialog([schedule({ cadence: 'monthly', day: 15, last_run: null })])
  const row = (await screen.findByText('Monthly on day 15')).closest('tr')
  expect(row).toHaveTextContent('Vehicle & Trip Counts')
  expect(row).toHaveTextContent('May 11, 2026, 7:00 AM')
  expect(row).toHaveTextContent('Not sent yet')
})

it("shows another user's schedule without actions", async () => {
  await renderDialog([schedule({ can_edit: false })])
  await userEvent.click(await screen.findByLabelText('Actions for Vehicle & Trip Counts'))
  const items = await screen.findAllByRole('menuitem', { hidden: true })
  expect(items.map(({ textContent }) => textContent)).toEqual(['Download PDF', 'History'])
  expect(items[0]).toHaveAttribute('href', `${path}/${id}/pdf`)
})

it('edits a schedule in its form, which lists users who unsubscribed', async () => {
  const changes = await renderDialog([schedule()], { [`PATCH ${path}/${id}`]: () => schedule() })
  await chooseAction('Edit schedule')
  const form = within(await screen.findByRole('dialog', { hidden: true, name: 'Edit schedule' }))
  expect(form.getByLabelText('Day of the week', { selector: 'input' })).toHaveValue('Monday')
  await userEvent.click(form.getByText('Monthly'))
  await userEvent.click(form.getByRole('button', { name: 'Save', hidden: true }))
  await waitFor(() =>
    expect(changes()).toEqual([
      [
        'PATCH',
        `${path}/${id}`,
        {
          report: 'trip_counts',
          cadence: 'monthly',
          day: 1,
          filters: ReportFilters.parse({}),
          recipients: ['ada@city.example', 'ben@city.example'],
        },
      ],
    ]),
  )
  // Back in the list.
  expect(await screen.findByText('Every Monday')).toBeInTheDocument()
})

it('focuses the button that adds a schedule, also after its form was closed', async () => {
  await renderDialog([])
  const expectFocusedText = () =>
    waitFor(() => expect(document.activeElement).toHaveTextContent('Add schedule'))
  await expectFocusedText()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByPlaceholderText('name@city.example')).toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expectFocusedText()
})

it('lists the filters of a schedule, and replaces them only on request', async () => {
  const changes = await renderDialog([schedule({ filters })], { [`PATCH ${path}/${id}`]: () => schedule() })
  expect(await screen.findByText(filtersText)).toBeInTheDocument()
  cleanup()
  await renderDialog([schedule()], { [`PATCH ${path}/${id}`]: () => schedule() })
  await chooseAction('Edit schedule')
  const form = within(await screen.findByRole('dialog', { hidden: true, name: 'Edit schedule' }))
  expect(form.getByText('No filters')).toBeInTheDocument()
  await userEvent.click(form.getByRole('button', { name: 'Use the filters of this page', hidden: true }))
  expect(form.getByText(filtersText)).toBeInTheDocument()
  expect(form.queryByRole('button', { name: /filters of this page/, hidden: true })).toBeNull()
  expect(changes()).toEqual([])
})

it('requires a recipient', async () => {
  await renderDialog([])
  await userEvent.click(await screen.findByText('Add schedule'))
  const form = within(await screen.findByRole('dialog', { hidden: true }))
  expect(form.getByRole('button', { name: 'Save', hidden: true })).toBeDisabled()
})

it('a schedule can be saved while a recipient is typed', async () => {
  const changes = await renderDialog([], { [`POST ${path}`]: () => schedule() })
  await userEvent.click(await screen.findByText('Add schedule'))
  const form = within(await screen.findByRole('dialog', { hidden: true }))
  const save = form.getByRole('button', { name: 'Save', hidden: true })
  await userEvent.type(form.getByPlaceholderText('name@city.example'), 'eve')
  expect(save).toBeDisabled()
  await userEvent.keyboard('@city.example')
  expect(save).toBeEnabled()
  await userEvent.click(save)
  await waitFor(() =>
    expect(changes()).toEqual([
      ['POST', path, expect.objectContaining({ recipients: ['eve@city.example'] }) as object],
    ]),
  )
})

it('names a recipient that is not an email address', async () => {
  await renderDialog([])
  await userEvent.click(await screen.findByText('Add schedule'))
  const form = within(await screen.findByRole('dialog', { hidden: true }))
  await userEvent.type(form.getByPlaceholderText('name@city.example'), 'ada,ben@city.example,')
  expect(await form.findByText(/^Not an e-mail address: ada\./)).toBeInTheDocument()
  expect(form.getByRole('button', { name: 'Save', hidden: true })).toBeDisabled()
})

it('a schedule is not deleted after cancel; a failed deletion shows its reason', async () => {
  const changes = await renderDialog([schedule()], {
    [`DELETE ${path}/${id}`]: () => new ErrorResponse(403, 'It is of another user.', 'forbidden'),
  })
  await chooseAction('Delete')
  expect(await screen.findByText('Delete the schedule of Vehicle & Trip Counts?')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel', hidden: true }))
  expect(await screen.findByText('Every Monday')).toBeInTheDocument()
  expect(changes()).toEqual([])
  await chooseAction('Delete')
  await userEvent.click(await screen.findByRole('button', { name: 'Delete', hidden: true }))
  expect(await screen.findByText('It is of another user.')).toBeInTheDocument()
})

it('shows in the history how each run was sent, or why it failed', async () => {
  const manual = {
    ...run,
    run_id: '00000000-0000-4000-8000-000000000003',
    is_manual: true,
    state: 'sent' as const,
    mails: { sent: 3, waiting: 0, failed: 0 },
  }
  await renderDialog([schedule()], { [`GET ${path}/${id}/runs`]: () => ({ items: [run, manual] }) })
  await chooseAction('History')
  const table = within(
    await screen.findByRole('table', { name: 'History of Vehicle & Trip Counts', hidden: true }),
  )
  const [planned, byHand] = table.getAllByRole('row', { hidden: true }).slice(1)
  expect(planned).toHaveTextContent(/May 4, 2026, 7:00.AMSchedule1 failed, 2 sent/)
  expect(byHand).toHaveTextContent(/Run now3 sent/)
  // Long texts wrap, and a narrow dialog lists the cells with their titles.
  const time = within(planned!)
    .getByText(/May 4, 2026, 7:00/)
    .closest('td')
  expect(time).toHaveAttribute('data-title', 'Run at')
  expect(time?.closest('[data-wrapped]')).not.toBeNull()
})

it('shows in the history that a schedule never ran', async () => {
  await renderDialog([schedule({ last_run: null })], { [`GET ${path}/${id}/runs`]: () => ({ items: [] }) })
  await chooseAction('History')
  expect(await screen.findByText('Runs appear here once the report is sent.')).toBeInTheDocument()
})

it('the link in an email ends the subscription on click, not on load', async () => {
  const { requests } = fakeServer({ 'POST /v2/report_schedules/unsubscribe': () => ({ ended: true }) })
  await renderApp(
    [
      {
        path: '/unsubscribe/reports/$token',
        title: 'reporting:schedules.unsubscribe.page',
        permission: 'public',
        Screen: EndReportScreen,
      },
    ],
    `/unsubscribe/reports/${id}`,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Stop these e-mails' }))
  expect(await screen.findByText('E-mails stopped')).toBeInTheDocument()
  expect(requests[0]?.body).toEqual({ token: id })
})
