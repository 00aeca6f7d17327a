import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, Refusal } from '#web/data/fake-server.ts'
import { shownMap } from '#web/geography/map-for-test.tsx'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { PublicPoliciesScreen } from './public-policies-screen.tsx'

vi.mock('#web/map/map-view.tsx', async () => ({ MapView: (await import('#web/geography/map-for-test.tsx')).MapForTest }))
afterEach(() => vi.unstubAllGlobals())

const screens: ScreenEntry[] = [{ path: '/$regionId/public/policies', title: 'shell:pages.publicPolicies', permission: 'public', Screen: PublicPoliciesScreen }]
const square = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }
const policy = (id: string, name: string, place: string) => ({ policy_id: id, name, start_date: Date.UTC(2026, 0, 1), rules: [{ rule_id: id, rule_type: 'count', maximum: 0, geographies: [place], states: { on_trip: [] } }] })
const geography = (id: string, name: string) => ({ geography_id: id, name, geography_json: square })
const feeds = (policies: unknown[]) => ({
  'GET /mds/policy/port-meridian/policies': () => ({ version: '2.0.0', last_updated: 1, policies }),
  'GET /mds/geography/port-meridian/geographies': () => ({ version: '2.0.0', last_updated: 1, geographies: [geography('g1', 'North'), geography('g2', 'South')] }),
})
const open = async (replies: Parameters<typeof fakeServer>[0]) => { const server = fakeServer(replies); await renderApp(screens, '/port-meridian/public/policies'); return server }
const drawn = () => (shownMap.props?.scene.layer?.sources['public-areas'] as { data: { features: unknown[] } } | undefined)?.data.features.length

it('tells everybody what is published in plain words, and shows each on the map', async () => {
  const { asked } = await open(feeds([policy('a', 'Quiet north', 'g1'), policy('b', 'Quiet south', 'g2')]))
  expect(await screen.findByText('No riding. Where: North.')).toBeInTheDocument()
  expect(screen.getAllByText(/^Since /)).toHaveLength(2)
  await waitFor(() => expect(drawn()).toBe(2))
  await userEvent.click(screen.getAllByText('Show on the map')[1]!)
  expect(drawn()).toBe(1)
  await userEvent.click(screen.getByText('Show all on the map'))
  expect(drawn()).toBe(2)
  expect(asked.some(({ path }) => path.includes('/users/'))).toBe(false)
})

it.each([['none is published', feeds([])], ['there is no such city', { 'GET /mds/policy/port-meridian/policies': () => new Refusal(404, 'Not Found') }]])('says so where %s', async (_, replies) => {
  await open(replies)
  expect(await screen.findByText('No policies are published')).toBeInTheDocument()
})
