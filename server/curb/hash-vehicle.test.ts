import { describe, expect, it } from 'vitest'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { hashLane, hashVehicle, openHashKeys } from './hash-vehicle.ts'

const keys = openHashKeys(createSecretBox('a'.repeat(64)))

describe('hashVehicle and hashLane', () => {
  it('returns the hashes of stored rows', () => {
    expect([
      hashVehicle(keys.vehicleKey('a'), 'plate ABC 123'),
      hashLane(keys.paymentKey('a'), 'vendor', 'M-1', { session: '', plate: 'abc 123' }),
      hashLane(keys.paymentKey('a'), 'vendor', 'M-1', { session: 'S-1', plate: 'abc 123' }),
    ]).toEqual(['A1QDwjkmFyNYqBKS1TX-fj', 'lPufEvQ_kCdi5Y985Qfuhk', 'lgWMQ_PS5dBdQa1lKqQuvs'])
  })
  it('distinguishes regions and locations, but not spellings of a plate', () => {
    const hashPlate = (regionId: string, location: string, plate: string): string =>
      hashLane(keys.paymentKey(regionId), 'vendor', location, { session: '', plate })
    expect(new Set([hashPlate('a', 'M-1', 'ABC123'), hashPlate('a', 'M-1', 'abc-123')]).size).toBe(1)
    expect(
      new Set([hashPlate('a', 'M-1', 'A1'), hashPlate('b', 'M-1', 'A1'), hashPlate('a', 'M-2', 'A1')]).size,
    ).toBe(3)
  })
  it('returns an empty text for unknown vehicles', () =>
    expect([
      hashVehicle(keys.vehicleKey('a'), ''),
      hashLane(keys.paymentKey('a'), 'vendor', 'M-1', { session: '', plate: '0000' }),
    ]).toEqual(['', '']))
})
