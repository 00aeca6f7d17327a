import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { openPusher, provider, push } from './agency.ts'
import type { Bench } from './open-bench.ts'
import type { Report } from './table.ts'

export interface IdleOptions {
  vehicles: number
  /** Until the first events are derived and their days are summed. */
  settleSeconds: number
  seconds: number
}

/** Of one vehicle, as in the demo. */
const tripsPerDay = 2
const tripSeconds = 600
/** Vehicles of one push at the start. */
const registeredAtOnce = 500
const pushSeconds = 5

interface Vehicle {
  device_id: string
  lat: number
  lng: number
}

/** A city without visitors: what its vehicles and the background work cost while nobody opens a page. */
export async function benchIdle(
  bench: Bench,
  { vehicles, settleSeconds, seconds }: IdleOptions,
  report: Report,
): Promise<void> {
  const { app, city } = bench
  const { token, port } = await openPusher(bench)
  app.jobs.start()
  const agent = new http.Agent({ keepAlive: true })
  const send = async (stream: string, body: object): Promise<void> => {
    const { status } = await push(agent, port, token, stream, body)
    if (status !== 201) throw new Error(`A push of ${stream} was answered with ${status}`)
  }
  const fleet = Array.from({ length: vehicles }, (_, n): Vehicle => ({
    device_id: randomUUID(),
    lat: city.lat + ((n * 37) % 997) / 20_000,
    lng: city.lon + ((n * 53) % 991) / 20_000,
  }))
  const eventOf = (vehicle: Vehicle, state: string, type: string, trips: readonly string[] = []) => ({
    device_id: vehicle.device_id,
    provider_id: provider,
    event_id: randomUUID(),
    vehicle_state: state,
    event_types: [type],
    trip_ids: trips,
    timestamp: Date.now(),
    location: { lat: vehicle.lat, lng: vehicle.lng },
    battery_percent: 80,
  })
  report.say(`idle: ${vehicles} vehicles`)
  for (let from = 0; from < vehicles; from += registeredAtOnce) {
    const some = fleet.slice(from, from + registeredAtOnce)
    await send('vehicles', {
      vehicles: some.map(({ device_id }, n) => ({
        device_id,
        provider_id: provider,
        vehicle_id: `I-${from + n}`,
        vehicle_type: 'scooter_standing',
        propulsion_types: ['electric'],
      })),
    })
    await send('events', { events: some.map((each) => eventOf(each, 'available', 'on_hours')) })
  }

  const riding: { vehicle: Vehicle; trip: string; until: number }[] = []
  const tripsPerPush = (vehicles * tripsPerDay * pushSeconds) / 86_400
  let due = 0
  let started = 0
  /** Pushes the trips that start and end, at the pace of the fleet. */
  const live = async (over: number): Promise<void> => {
    for (const end = performance.now() + over * 1000; performance.now() < end;) {
      const next = performance.now() + pushSeconds * 1000
      const events: object[] = []
      for (let at = riding.length - 1; at >= 0; at--) {
        const ride = riding[at]
        if (!ride || ride.until > performance.now()) continue
        riding.splice(at, 1)
        ride.vehicle.lat += ((started % 11) - 5) / 2000
        ride.vehicle.lng += ((started % 7) - 3) / 2000
        events.push(eventOf(ride.vehicle, 'available', 'trip_end', [ride.trip]))
      }
      for (due += tripsPerPush; due >= 1; due--) {
        const vehicle = fleet[(started++ * 7919) % vehicles]
        if (!vehicle || riding.some((ride) => ride.vehicle === vehicle)) continue
        const trip = randomUUID()
        riding.push({ vehicle, trip, until: performance.now() + tripSeconds * 1000 })
        events.push(eventOf(vehicle, 'on_trip', 'trip_start', [trip]))
      }
      if (events.length) await send('events', { events })
      await wait(Math.max(0, next - performance.now()))
    }
  }
  await live(settleSeconds)
  const before = process.cpuUsage()
  const begun = performance.now()
  await live(seconds)
  const { user, system } = process.cpuUsage(before)
  report.add(`idle load of a city with ${vehicles.toLocaleString('en-US')} vehicles`, 'cores', [
    (user + system) / 1000 / (performance.now() - begun),
  ])
  agent.destroy()
}
