/** Kinds of generated events. The kind and a trip number form the event ID. */
export const createEventKinds = {
  tripStart: 1,
  tripEnd: 2,
  pickUp: 3,
  dropOff: 4,
  workshop: 5,
  reservation: 6,
  lostParked: 7,
  foundParked: 8,
  lostOnTrip: 9,
  foundOnTrip: 10,
  outOfService: 11,
  backInService: 12,
  /** First of two kinds per night after the trip. */
  offHours: 0x100,
} as const
