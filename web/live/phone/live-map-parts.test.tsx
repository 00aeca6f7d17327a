import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentType, useSyncExternalStore } from 'react'
import { expect, it, vi } from 'vitest'
import { createSignal } from '#web/data/signals.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { FleetColumns } from '../fleet-columns.ts'
import { liveVehicles } from '../test-fleet.ts'
import { LocateButton } from './locate-button.tsx'
import { PositionNotice } from './position-notice.tsx'
import type { Position } from './use-position.ts'
import { VehicleList } from './vehicle-list.tsx'
import { InstallHead, useFullScreen } from './mobile-live-screen.tsx'

const failed: Position = { kind: 'failed', why: 'refused' }
const on: Position = { kind: 'on', here: { lon: -75, lat: 37, accuracy: 9 }, isLost: false }

/** Renders a component with a position; returns a function that changes the position. */
async function withPosition(Part: ComponentType<{ position: Position }>) {
  const current = createSignal<Position>({ kind: 'off' })
  function Watched() {
    return <Part position={useSyncExternalStore(current.watch, current.read)} />
  }
  await renderPart(<Watched />)
  return (position: Position) => act(() => current.write(position))
}

it('explains why there is no position until it is dismissed, and again after another failure', async () => {
  const give = await withPosition(PositionNotice)
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  give({ kind: 'asking' })
  expect(screen.getByRole('status')).toHaveTextContent(/^Finding your position/)
  expect(screen.queryByRole('button')).toBeNull()
  give(failed)
  expect(screen.getByRole('status')).toHaveTextContent(
    /^Your position was not shared.*The map works without it/,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Close this note' }))
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  give({ ...failed })
  expect(screen.getByRole('status')).toHaveTextContent(/not shared/)
})

it.each([
  ['missing', /cannot find its position/],
  ['slow', /took too long/],
  ['insecure', /https/],
] as const)('says that a position is %s', async (why, text) => {
  await renderPart(<PositionNotice position={{ kind: 'failed', why }} />)
  expect(screen.getByRole('status')).toHaveTextContent(text)
})

it('says that the displayed position is the last known one, and nothing if it is current', async () => {
  const give = await withPosition(PositionNotice)
  give(on)
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  give({ ...on, isLost: true })
  expect(screen.getByRole('status')).toHaveTextContent(
    'Your position is no longer updated. The last known position is shown.',
  )
})

it('shows the position and returns to it with one button', async () => {
  const locate = vi.fn()
  const give = await withPosition(({ position }) => <LocateButton position={position} onLocate={locate} />)
  await userEvent.click(screen.getByRole('button', { name: 'Show my position' }))
  give(on)
  await userEvent.click(screen.getByRole('button', { name: 'Go to my position' }))
  expect(locate).toHaveBeenCalledTimes(2)
})

const columns = new FleetColumns()
columns.load(
  liveVehicles([
    { handle: 0, id: 'B-1', lon: -75.02 },
    { handle: 1, id: 'A-1', operator: 'swift', battery: null, state: 'on_trip' },
    { handle: 2, id: 'C-1', lon: null, lat: null },
  ]),
)
const list = (props: Partial<Parameters<typeof VehicleList>[0]> = {}) => (
  <VehicleList
    columns={columns}
    handles={Uint32Array.from([0, 1, 2])}
    operators={[{ slug: 'swift', name: 'Swift Wheels', colorHex: '#112233' }]}
    coloring="operator"
    operatorColors={new Map()}
    here={null}
    isMetric={false}
    onSelect={() => {}}
    {...props}
  />
)
const getRows = () =>
  within(screen.getByRole('list', { name: 'Vehicles shown' }))
    .getAllByRole('listitem')
    .map((element) => element.textContent)
const withRoom = () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(480)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360)
}

it('lists the visible vehicles, and selects them', async () => {
  withRoom()
  const select = vi.fn()
  await renderPart(list({ onSelect: select }))
  expect(getRows()).toEqual([
    'A-1Swift Wheels · Scooter · On trip',
    'B-1Unknown Operator · Scooter · Available · 50%',
    'C-1Unknown Operator · Scooter · Available · 50%',
  ])
  expect(screen.getAllByRole('listitem')[1]).toHaveAttribute('aria-setsize', '3')
  await userEvent.click(screen.getByRole('button', { name: /^A-1/ }))
  expect(select).toHaveBeenCalledWith('swift:A-1')
})

it('lists the nearest vehicle first, with the distances', async () => {
  withRoom()
  await renderPart(list({ here: { lon: -75.021, lat: 37, accuracy: 5 } }))
  expect(getRows()).toEqual([
    expect.stringMatching(/^B-1.*290 ft$/),
    expect.stringMatching(/^A-1.*1\.2 mi$/),
    expect.stringMatching(/^C-1.*50%$/),
  ])
})

it('the live map can be installed as an app that opens with this region', async () => {
  const { unmount } = await renderPart(<InstallHead regionId="port-meridian" name="Live · Port Meridian" />)
  expect(document.head.querySelector('link[rel="manifest"]')).toHaveAttribute(
    'href',
    '/port-meridian/mobile/live.webmanifest',
  )
  expect(document.head.querySelector('meta[name="apple-mobile-web-app-title"]')).toHaveAttribute(
    'content',
    'Live · Port Meridian',
  )
  unmount()
  expect(document.head.querySelector('link[rel="manifest"]')).toBeNull()
})

it('uses the full screen while it is mounted', async () => {
  document.head.insertAdjacentHTML('beforeend', '<meta name="viewport" content="width=device-width">')
  const Whole = () => {
    useFullScreen()
    return null
  }
  const { unmount } = await renderPart(<Whole />)
  const getContent = () => document.querySelector('meta[name="viewport"]')?.getAttribute('content')
  expect(getContent()).toBe('width=device-width, viewport-fit=cover')
  unmount()
  expect(getContent()).toBe('width=device-width')
})
