import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ReportRun, ReportSchedule } from '#contract/report-schedules.ts'
import { fakeServer, Refusal } from '#web/data/fake-server.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-replies.ts'
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

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000)
})

async function open(items: ReportSchedule[], replies: Parameters<typeof fakeServer>[0] = {}) {
  const server = fakeServer({
    ...signedIn(),
    [`GET ${path}`]: () => ({ items }),
    [`GET ${path}/${id}/runs`]: () => ({ items: [run] }),
    ...replies,
  })
  await renderApp(
    [
      {
        path: '/$regionId/report',
        title: 'shell:pages.home',
        permission: 'signed_in',
        Screen: () => (
          <SchedulesButton report="mobility_metrics" regionId="port-meridian" timezone="America/New_York" />
        ),
      },
    ],
    '/port-meridian/report',
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Schedule' }))
  return () =>
    server.asked
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path: at, body }) => [method, at, body])
}
const act = async (name: string): Promise<void> => {
  await userEvent.click(await screen.findByLabelText('More for Vehicle & Trip Counts'))
  await userEvent.click(await screen.findByText(name))
}

it('a report is scheduled to users by their addresses; what is wrong is said', async () => {
  const changes = await open([], {
    [`POST ${path}`]: () =>
      new Refusal(422, 'eve@city.example is no user of this region.', 'validation_error'),
  })
  await userEvent.click(await screen.findByText('Add schedule'))
  const form = within(await screen.findByRole('dialog', { hidden: true }))
  await userEvent.click(form.getByText('Monthly'))
  await userEvent.type(form.getByPlaceholderText('name@city.example'), 'eve@city.example,')
  await userEvent.click(form.getByRole('button', { name: 'Save', hidden: true }))
  expect(await form.findByText(/no user of this region/)).toBeInTheDocument()
  expect(changes()).toEqual([
    [
      'POST',
      path,
      { report: 'mobility_metrics', cadence: 'monthly', day: 1, recipients: ['eve@city.example'] },
    ],
  ])
})

it('lists what is sent when and to whom; runs it, and deletes it after a question', async () => {
  const changes = await open([schedule()], {
    [`POST ${path}/${id}/run`]: () => run,
    [`DELETE ${path}/${id}`]: () => ({ deleted: true }),
  })
  const dialog = within(await screen.findByRole('dialog', { hidden: true }))
  expect(await dialog.findByText('Every Monday')).toBeInTheDocument()
  expect(dialog.getByText('ada@city.example, ben@city.example (unsubscribed)')).toBeInTheDocument()
  expect(dialog.getByText('1 failed, 2 sent')).toBeInTheDocument()
  await act('Run now')
  await act('Delete')
  await userEvent.click(await screen.findByRole('button', { name: 'Delete', hidden: true }))
  await waitFor(() =>
    expect(changes().map(([method, at]) => [method, at])).toEqual([
      ['POST', `${path}/${id}/run`],
      ['DELETE', `${path}/${id}`],
    ]),
  )
})

it('the history has the PDF of each run', async () => {
  await open([schedule({ can_edit: false })])
  await act('History')
  const link = await screen.findByRole('link', { name: /^PDF of/, hidden: true })
  expect(link).toHaveAttribute('href', `${path}/${id}/pdf?run_id=${run.run_id}`)
})

it('the link in a mail ends it at a click, not before', async () => {
  const { asked } = fakeServer({ 'POST /v2/report_schedules/unsubscribe': () => ({ ended: true }) })
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
  expect(asked[0]?.body).toEqual({ token: id })
})
