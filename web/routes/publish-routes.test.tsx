import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { PermissionKey } from '#contract/permission.ts'
import { fakeServer } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { useRegion } from '#web/shell/region.tsx'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { PublishRoutes } from './publish-routes.tsx'

afterEach(() => vi.unstubAllGlobals())

const Screen = () => <PublishRoutes region={useRegion()} />
const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/mobility/maps/routes', 'shell:pages.routes', Screen),
]

const renderPublishRoutes = async (
  published: boolean,
  keys: readonly PermissionKey[] = ['publish_to_public_map'],
) => {
  let stored = { published, first_month: null as string | null, last_month: null as string | null }
  const testResponse = () => ({ ...stored, months: ['2026-10', '2026-09', '2026-08'] })
  const address = '/v2/regions/port-meridian/routes/publishing'
  const server = fakeServer({
    ...signedIn(keys),
    'GET /v2/regions/port-meridian/permission_holders': () => ({
      items: [{ name: 'Ana Silva', email: 'ana@city.example' }],
      total: 3,
    }),
    [`GET ${address}`]: testResponse,
    [`PATCH ${address}`]: ({ body }) => {
      stored = { first_month: null, last_month: null, ...(body as object) } as typeof stored
      return testResponse()
    },
  })
  await renderApp(screens, '/port-meridian/mobility/maps/routes')
  const bar = await screen.findByRole('region', { name: 'Public routes map' })
  return {
    bar,
    sent: () => server.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body),
  }
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

it('publishes the chosen months, then shows the link', async () => {
  const { bar, sent } = await renderPublishRoutes(false)
  expect(bar).toHaveTextContent('Not published')
  await press('Publish')
  expect(await screen.findByRole('dialog')).toHaveTextContent('without signing in')
  await userEvent.click(screen.getByRole('combobox', { name: 'First month' }))
  await userEvent.click(await screen.findByRole('option', { name: 'September 2026' }))
  await userEvent.click(screen.getByRole('combobox', { name: 'Last month' }))
  await userEvent.click(await screen.findByRole('option', { name: 'August 2026', hidden: false }))
  expect(screen.getByText('The last month is before the first month.')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('combobox', { name: 'Last month' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Newest month: added when it ends' }))
  await userEvent.click(screen.getAllByRole('button', { name: 'Publish' }).at(-1)!)
  expect(await screen.findByLabelText('Live at')).toHaveValue(
    `${location.origin}/port-meridian/public/routes`,
  )
  expect(sent()).toEqual([{ published: true, first_month: '2026-09', last_month: null }])
  expect(screen.getByRole('link', { name: 'Open' })).toHaveAttribute('href', '/port-meridian/public/routes')
  expect(bar).toHaveTextContent('Since September 2026; new months are added')
})

it('names what goes offline before it unpublishes', async () => {
  const { bar, sent } = await renderPublishRoutes(true)
  await press('Show link')
  await press('Unpublish')
  expect(
    await screen.findByText(
      /public page of routes in Port Meridian goes offline. Months online now: Since August 2026/,
    ),
  ).toBeVisible()
  expect(sent()).toEqual([])
  await press('Unpublish')
  await vi.waitFor(() => expect(bar).toHaveTextContent('Not published'))
  expect(sent()).toEqual([{ published: false }])
})

it('shows the link without the permission to publish', async () => {
  const { bar } = await renderPublishRoutes(true, [])
  await press('Show link')
  expect(await screen.findByLabelText('Live at')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Unpublish' })).toBeNull()
  expect(bar).toHaveTextContent('Since August 2026')
})

it('names who can publish if nothing is published and the user lacks the permission', async () => {
  const { bar } = await renderPublishRoutes(false, [])
  await vi.waitFor(() =>
    expect(bar).toHaveTextContent('Not publishedPeople who can do this: Ana Silva and 2 others'),
  )
  expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
})
