import { screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#web/data/test-server.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { RegulationScreen } from './regulation-screen.tsx'
import { curbPath, regulationId, regulationsResponses, testRegulation } from './test-regulations.ts'
import { RegulationsScreen } from './regulations-screen.tsx'

const library = '/$regionId/curb/regulations/library'
const screens = [
  { path: library, Screen: RegulationsScreen },
  { path: `${library}/$regulationId`, Screen: RegulationScreen },
].map((entry) => ({ ...entry, title: 'shell:pages.regulationsLibrary', permission: 'signed_in' as const }))

const renderLink = (isPublic: boolean, path = ''): Promise<unknown> => {
  fakeServer({
    ...regulationsResponses([testRegulation({ published: true, status: 'published' })]),
    [`GET ${curbPath}/settings`]: () => ({
      settings: { assumedVehicleLength: 610, designatedPeriods: {}, isPublic },
      version: 1,
    }),
  })
  return renderApp(screens, `/port-meridian/curb/regulations/library${path}`)
}

afterEach(() => vi.unstubAllGlobals())

it('links a published regulation to its place on the public map', async () => {
  await renderLink(true, `/${regulationId}`)
  expect(await screen.findByLabelText('Live on the public page')).toHaveValue(
    `${location.origin}/port-meridian/public/regulations?view=${encodeURIComponent('[-75.15,37.05,16]')}`,
  )
})

it('there is no address while the public map is off', async () => {
  await renderLink(false, `/${regulationId}`)
  expect(await screen.findByRole('heading', { name: 'Paid parking' })).toBeVisible()
  expect(screen.queryByLabelText('Live on the public page')).toBeNull()
})

it('links the library to the public map', async () => {
  await renderLink(true)
  expect(await screen.findByRole('link', { name: 'Public page' })).toHaveAttribute(
    'href',
    '/port-meridian/public/regulations',
  )
})
