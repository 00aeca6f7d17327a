import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { openPusher, providerId, push } from './agency.ts'
import type { Bench } from './open-bench.ts'
import type { Report } from './table.ts'

export interface IdleOptions {
  vehicles: number
  /** Wait until the first events are derived and their days are summed. */
  settleSeconds: number
  seconds: number
}

/** Trips of one vehicle and their duration, as in the demo. */
const tripsPerDay = 2
const tripSeconds = 600
/** Vehicles of one push at the start. */
const vehiclesPerPush = 500
const pushSeconds = 5

interface Vehicle {
  device_id: string
  lat: number
  lng: number
}

/** Measures the load of a city's pushes and of the background work while nobody opens a page. */
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
    const { status } = await push({ agent, port, token }, stream, body)
    if (status !== 201) throw new Error(`A push of ${stream} returned status ${status}`)
  }
  const fleet = Array.from({ length: vehicles }, (_, n): Vehicle => ({
    device_id: randomUUID(),
    lat: city.lat + ((n * 37) % 997) / 20_000,
    lng: city.lon + ((n * 53) % 991) / 20_000,
  }))
  const makeEvent = (vehicle: Vehicle, state: string, type: string, trips: readonly string[] = []) => ({
    device_id: vehicle.device_id,
    provider_id: providerId,
    event_id: randomUUID(),
    vehicle_state: state,
    event_types: [type],
    trip_ids: trips,
    timestamp: Date.now(),
    location: { lat: vehicle.lat, lng: vehicle.lng },
    battery_percent: 80,
  })
  report.log(`idle: ${vehicles} vehicles`)
  for (let from = 0; from < vehicles; from += vehiclesPerPush) {
    const pushed = fleet.slice(from, from + vehiclesPerPush)
    await send('vehicles', {
      vehicles: pushed.map(({ device_id }, n) => ({
        device_id,
        provider_id: providerId,
        vehicle_id: `I-${from + n}`,
        vehicle_type: 'scooter_standing',
        propulsion_types: ['electric'],
      })),
    })
    await send('events', { events: pushed.map((vehicle) => makeEvent(vehicle, 'available', 'on_hours')) })
  }

  const riding: { vehicle: Vehicle; trip: string; until: number }[] = []
  const tripsPerPush = (vehicles * tripsPerDay * pushSeconds) / 86_400
  let due = 0
  let started = 0
  /** Pushes starts and ends of trips at the rate of the fleet. */
  const runFleet = async (durationSeconds: number): Promise<void> => {
    for (const end = performance.now() + durationSeconds * 1000; performance.now() < end;) {
      const next = performance.now() + pushSeconds * 1000
      const events: object[] = []
      for (let index = riding.length - 1; index >= 0; index--) {
        const ride = riding[index]
        if (!ride || ride.until > performance.now()) continue
        riding.splice(index, 1)
        ride.vehicle.lat += ((started % 11) - 5) / 2000
        ride.vehicle.lng += ((started % 7) - 3) / 2000
        events.push(makeEvent(ride.vehicle, 'available', 'trip_end', [ride.trip]))
      }
      for (due += tripsPerPush; due >= 1; due--) {
        const vehicle = fleet[(started++ * 7919) % vehicles]
        if (!vehicle || riding.some((ride) => ride.vehicle === vehicle)) continue
        const trip = randomUUID()
        riding.push({ vehicle, trip, until: performance.now() + tripSeconds * 1000 })
        events.push(makeEvent(vehicle, 'on_trip', 'trip_start', [trip]))
      }
      if (events.length) await send('events', { events })
      await wait(Math.max(0, next - performance.now()))
    }
  }
  await runFleet(settleSeconds)
  const before = process.cpuUsage()
  const startMs = performance.now()
  await runFleet(seconds)
  const { user, system } = process.cpuUsage(before)
  report.add(`idle load of a city with ${vehicles.toLocaleString('en-US')} vehicles`, 'cores', [
    (user + system) / 1000 / (performance.now() - startMs),
  ])
  agent.destroy()
}
