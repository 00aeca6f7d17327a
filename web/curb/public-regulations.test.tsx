import { screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { publicResponses } from '#web/shell/test-responses.ts'
import { PublicRegulationsScreen } from './public-regulations-screen.tsx'

afterEach(() => vi.unstubAllGlobals())

const screens: ScreenEntry[] = [
  makeScreenEntry(
    '/$regionId/public/regulations',
    'shell:pages.publicRegulations',
    PublicRegulationsScreen,
    'public',
  ),
]

it('names the city, what is published, and what is not yet', async () => {
  const { requests } = fakeServer(publicResponses())
  await renderApp(screens, '/port-meridian/public/regulations')
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Public curb regulations of Port Meridian' }),
  ).toBeInTheDocument()
  expect(
    screen.getByRole('heading', { level: 2, name: 'No curb regulations are published yet.' }),
  ).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Policies for shared vehicles' })).toHaveAttribute(
    'href',
    '/port-meridian/public/policies',
  )
  expect(requests.some(({ path }) => path.includes('/users/'))).toBe(false)
})

it('shows a failure', async () => {
  fakeServer({ 'GET /v2/public/regions': () => new ErrorResponse(500, 'No luck today') })
  await renderApp(screens, '/port-meridian/public/regulations')
  expect(await screen.findByText('No luck today')).toBeInTheDocument()
})
