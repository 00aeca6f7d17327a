/** The index of events by trip follows the events by itself: one line for each trip that an event names. */
export const tripsOfEvents = {
  name: '012-trips-of-events',
  statements: [
    `create materialized view if not exists trips_of_events to trip_events as
      select region_id, operator, arrayJoin(trip_ids) as trip_id, device_id, event_time, event_id from vehicle_events`,
  ],
}
