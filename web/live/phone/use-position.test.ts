import { describe, expect, it } from 'vitest'
import { toCameraTarget, PositionWatch } from './use-position.ts'

it('moves the map to the square around the user, and zooms in if the position is accurate', () => {
  const {
    box: [west, south, east, north],
    minZoom,
  } = toCameraTarget({ lon: -79.9, lat: 60, accuracy: 111.195 })
  expect([north - 60, 60 - south].map((degrees) => degrees.toFixed(6))).toEqual(['0.001000', '0.001000'])
  // At this latitude degrees of longitude are half as long.
  expect(((east - west) / (north - south)).toFixed(3)).toBe('2.000')
  expect([minZoom, toCameraTarget({ lon: 0, lat: 0, accuracy: 3000 }).minZoom]).toEqual([16, 9])
  expect(toCameraTarget({ lon: 0, lat: 90, accuracy: 10 }).box.every(Number.isFinite)).toBe(true)
})

/** A geolocation device that the test controls. */
function device() {
  const watches: { found: PositionCallback; failed: PositionErrorCallback }[] = []
  const cleared: number[] = []
  const geolocation = {
    watchPosition: (found: PositionCallback, failed: PositionErrorCallback) =>
      watches.push({ found, failed }),
    clearWatch: (id: number) => void cleared.push(id),
  } as unknown as Geolocation
  const found = (longitude: number, latitude: number, accuracy: number) =>
    watches.at(-1)!.found({ coords: { longitude, latitude, accuracy } } as GeolocationPosition)
  const failed = (code: number) => watches.at(-1)!.failed({ code } as GeolocationPositionError)
  return { geolocation, watches, cleared, found, failed }
}

describe('the position', () => {
  it('is requested only on start, and only once', () => {
    const { geolocation, watches, found } = device()
    const watch = new PositionWatch(geolocation, true)
    expect([watch.state.read(), watches.length]).toEqual([{ kind: 'off' }, 0])
    watch.start()
    watch.start()
    expect([watch.state.read(), watches.length]).toEqual([{ kind: 'asking' }, 1])
    found(-79.9, 32.7, 25)
    expect(watch.state.read()).toEqual({
      kind: 'on',
      here: { lon: -79.9, lat: 32.7, accuracy: 25 },
      isLost: false,
    })
  })

  it('reports why there is none, and can be requested again', () => {
    const { geolocation, watches, cleared, failed } = device()
    const watch = new PositionWatch(geolocation, true)
    for (const [code, why] of [
      [1, 'refused'],
      [2, 'missing'],
      [3, 'slow'],
    ] as const) {
      watch.start()
      failed(code)
      expect(watch.state.read()).toEqual({ kind: 'failed', why })
    }
    expect([watches.length, cleared]).toEqual([3, [1, 2, 3]])
  })

  it('remains, marked as old, while updates fail, until the next update', () => {
    const { geolocation, found, failed } = device()
    const watch = new PositionWatch(geolocation, true)
    watch.start()
    found(1, 2, 3)
    failed(2)
    expect(watch.state.read()).toEqual({ kind: 'on', here: { lon: 1, lat: 2, accuracy: 3 }, isLost: true })
    found(1, 2.5, 3)
    expect(watch.state.read()).toMatchObject({ isLost: false, here: { lat: 2.5 } })
    failed(1)
    expect(watch.state.read()).toEqual({ kind: 'failed', why: 'refused' })
  })

  it('is unavailable without a device or without HTTPS', () => {
    const states = [new PositionWatch(undefined, true), new PositionWatch(device().geolocation, false)].map(
      (watch) => {
        watch.start()
        return watch.state.read()
      },
    )
    expect(states).toEqual([
      { kind: 'failed', why: 'missing' },
      { kind: 'failed', why: 'insecure' },
    ])
  })

  it('stops when the page is closed', () => {
    const { geolocation, cleared } = device()
    const watch = new PositionWatch(geolocation, true)
    watch.start()
    watch.stop()
    expect([watch.state.read(), cleared]).toEqual([{ kind: 'off' }, [1]])
  })
})
