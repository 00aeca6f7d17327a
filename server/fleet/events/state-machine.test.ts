import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventTypes, vehicleStateNames } from '#contract/vehicle-states.ts'
import { isLegalTransition, legalTransitions, type StateMachine } from './state-machine.ts'

const derived = path.resolve('../shared/standards/schemas/mds/derived')

interface Transition {
  from: string
  event: string
  to: string
}

describe('state machines of MDS', () => {
  it.each([
    ['micromobility', 85],
    ['passenger-services', 42],
    ['car-share', 47],
    ['delivery-robots', 52],
    ['1.2', 79],
  ] as const)('%s has %i legal transitions', (machine, count) => {
    expect(legalTransitions[machine].size).toBe(count)
  })

  it('contains only states and event types of the contract', () => {
    const words = new Set<string>([...vehicleStateNames, ...eventTypes, 'unknown'])
    const unknownWords = Object.entries(legalTransitions).flatMap(([machine, transitions]) =>
      [...transitions]
        .flatMap((transition) => transition.split(' '))
        .filter((word) => !words.has(word) && !(machine === '1.2' && word === 'missing')),
    )
    expect(unknownWords).toEqual([])
  })

  it.runIf(fs.existsSync(derived))('the state machines equal the tables of the standard', () => {
    const read = (
      name: string,
    ): { modes: Record<string, { transitions: Transition[] }>; transitions: Transition[] } =>
      JSON.parse(fs.readFileSync(path.join(derived, name), 'utf8'))
    const machines = [
      ...Object.entries(read('state-machine-2.0.json').modes),
      ['1.2', read('state-machine-1.2.json')] as const,
    ]
    for (const [machine, { transitions }] of machines)
      expect([...legalTransitions[machine as StateMachine]].sort()).toEqual(
        transitions.map(({ from, event, to }) => `${from} ${event} ${to}`).sort(),
      )
  })

  it('distinguishes legal from illegal transitions', () => {
    expect(isLegalTransition('micromobility', 'available', 'trip_start', 'on_trip')).toBe(true)
    expect(isLegalTransition('micromobility', 'removed', 'trip_start', 'on_trip')).toBe(false)
    expect(isLegalTransition('car-share', 'on_trip', 'trip_stop', 'stopped')).toBe(true)
    expect(isLegalTransition('micromobility', 'on_trip', 'trip_stop', 'stopped')).toBe(false)
  })

  it('accepts both spellings where the standard is inconsistent', () => {
    for (const spelling of ['recommission', 'recommissioned'] as const)
      expect(isLegalTransition('delivery-robots', 'removed', spelling, 'non_operational')).toBe(true)
    for (const spelling of ['system_start', 'service_start'] as const)
      expect(isLegalTransition('passenger-services', 'non_operational', spelling, 'available')).toBe(true)
  })

  it('translates states and events to MDS 1.2: one state of lost contact, `missing` for not_located', () => {
    expect(isLegalTransition('1.2', 'available', 'comms_lost', 'non_contactable')).toBe(true)
    expect(isLegalTransition('1.2', 'missing', 'located', 'available')).toBe(true)
    expect(isLegalTransition('1.2', 'available', 'not_located', 'missing')).toBe(true)
    expect(isLegalTransition('1.2', 'missing', 'trip_start', 'on_trip')).toBe(false)
  })
})
