import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { recordDownloads } from '#web/kit/test-downloads.ts'
import { AuditScreen } from './audit-screen.tsx'
import { pageOfItems, testEntry, testUser } from './test-users.ts'

const screens: ScreenEntry[] = [makeScreenEntry('/admin/audit', 'shell:pages.audit', AuditScreen, 'is_admin')]
const ownEntry = testEntry('1')
const impersonatedEntry = testEntry('2', {
  user_email: 'grace@city.example',
  admin_email: 'ada@city.example',
  admin_id: 'u1',
  action: 'changeLayer',
  status: 403,
})

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(
  address = '/admin/audit',
  items = [impersonatedEntry, ownEntry],
  total = items.length,
) {
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/audit': () => pageOfItems(items, total),
    'GET /v2/users': () => pageOfItems([testUser('grace')]),
  })
  const router = await renderApp(screens, address)
  await screen.findByRole('heading', { name: 'Audit log', hidden: true })
  const getLastQuery = () =>
    Object.fromEntries(
      server.requests.findLast(({ path, query }) => path === '/v2/audit' && query.get('size') === '50')
        ?.query ?? [],
    )
  return { ...server, router, getLastQuery }
}

describe('the audit log', () => {
  it('names the actor and the impersonated user', async () => {
    await renderScreen()
    expect(await screen.findByText(/ · Times in Eastern Time \(America\/New_York\)$/)).toBeInTheDocument()
    expect((await screen.findByText('changeLayer')).closest('tr')).toHaveTextContent(
      'May 1, 2026, 8:00 AMada@city.examplegrace@city.examplechangeLayerRefused',
    )
    expect(screen.getByText('changeRegion').closest('tr')).toHaveTextContent(
      'ada@city.example–changeRegionDonePATCH /v2/regions/alder',
    )
  })

  it('the audit log is filtered: each filter returns to the first page and is stored in the URL', async () => {
    const { getLastQuery, router } = await renderScreen(
      '/admin/audit?page=2&start_date=2026-05-01&end_date=2026-05-31',
      [ownEntry],
      120,
    )
    await waitFor(() =>
      expect(getLastQuery()).toEqual({
        start_date: '2026-05-01',
        end_date: '2026-05-31',
        timezone: 'America/New_York',
        page: '2',
        size: '50',
      }),
    )
    await userEvent.click(await screen.findByLabelText('Only actions on behalf of others'))
    await waitFor(() =>
      expect(getLastQuery()).toEqual({
        start_date: '2026-05-01',
        end_date: '2026-05-31',
        timezone: 'America/New_York',
        impersonated: 'true',
        page: '1',
        size: '50',
      }),
    )
    await userEvent.click(screen.getByLabelText('User', { selector: 'input' }))
    await userEvent.click(await screen.findByText('grace@city.example'))
    await waitFor(() => expect(getLastQuery()).toMatchObject({ user_id: 'grace', impersonated: 'true' }))
    expect(router.state.location.search).toEqual({
      start_date: '2026-05-01',
      end_date: '2026-05-31',
      impersonated: true,
      user_id: 'grace',
    })
  })

  it('suggests what to do if nothing matches', async () => {
    await renderScreen('/admin/audit?search=nothing', [])
    expect(await screen.findByText('No entries')).toBeInTheDocument()
  })

  it('the audit log is downloaded with the filters, and with both users', async () => {
    const { requests } = await renderScreen('/admin/audit?search=layer')
    await screen.findByText('changeLayer')
    const files = recordDownloads()
    await userEvent.click(screen.getByRole('button', { name: 'Download' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'CSV' }))
    await waitFor(() => expect(files.size).toBe(1))
    const [[name, csv]] = [...files] as [[string, Blob]]
    expect(name).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)
    expect((await csv.text()).split('\r\n').slice(0, 2)).toEqual([
      'Time,User,On behalf of,Action,Result,Request',
      '2026-05-01T12:00:00.000Z,ada@city.example,grace@city.example,changeLayer,403,PATCH /v2/regions/alder',
    ])
    expect(requests.at(-1)?.query.toString()).toBe('search=layer&page=1&size=300')
  })
})
