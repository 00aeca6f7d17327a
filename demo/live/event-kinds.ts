/** What an event is told of: with the number of a trip it makes the event's id. */
export const eventKinds = {
  tripStart: 1,
  tripEnd: 2,
  pickUp: 3,
  dropOff: 4,
  workshop: 5,
  reservation: 6,
  lostAtRest: 7,
  foundAtRest: 8,
  lostOnTrip: 9,
  foundOnTrip: 10,
  outOfService: 11,
  backInService: 12,
  /** And two for each night after it. */
  offHours: 0x100,
} as const
