/** A small file of a known layout with its name, content and expected result. */
interface TripFile {
  name: string
  text: string
  counts: {
    rows_read: number
    rows_accepted: number
    rows_rejected: number
    rows_flagged: number
    reasons: Record<string, number>
    flags: Record<string, number>
  }
}

/** A file of Portland with one rejected row of each kind. */
export const biketownFile: TripFile = {
  name: '2026_07.csv',
  text: `RouteID,PaymentPlan,StartHub,StartLatitude,StartLongitude,StartDate,StartTime,EndHub,EndLatitude,EndLongitude,EndDate,EndTime,TripType,BikeID,BikeName,Distance_Miles,Duration,RentalAccessPath,MultipleRental
3425018,Subscriber,Alder Square,41.49,-72.5,7/1/2026,0:00,Ash Lane,41.48,-72.49,7/1/2026,0:06,,7375,0959 BETRUE MAX,0.55,0:05:37,keypad,FALSE
3425019,Casual,"Hub, with a comma",41.50,-72.51,7/1/2026,13:05,,41.47,-72.48,7/1/2026,13:03,,6191,"0430 ""B""",2.03,0:15:57,keypad,FALSE
3425020,Casual,,41.50,-72.51,7/2/2026,8:00,,,,,,,6192,x,0,,keypad,FALSE
,,,,,,,,,,,,,,,,,,
3425021,Casual,,41.50,-72.51,7/32/2026,8:00,,41.5,-72.5,7/2/2026,8:10,,6192,x,1,0:10:00,keypad,FALSE
3425022,Casual,,=1+1,-72.51,7/2/2026,8:00,,41.5,-72.5,7/2/2026,8:10,,6192,x,1,0:10:00,keypad,FALSE
3425023,Casual,,41.5
3425018,Subscriber,Alder Square,41.49,-72.5,7/1/2026,0:00,Ash Lane,41.48,-72.49,7/1/2026,0:06,,7375,0959 BETRUE MAX,0.55,0:05:37,keypad,FALSE
3425024,Casual,,41.50,-72.51,7/3/2026,23:50,,41.5,-72.5,7/4/2026,0:10,,6192,x,1,0:20:00,keypad,TRUE
3425025,Casual,"open,41.50,-72.51,7/3/2026,23:50,,41.5,-72.5,7/4/2026,0:10,,6192,x,1,0:20:00,keypad,TRUE
3425026,Casual,,41.50,-72.51,7/13/2026,12:00,,41.5,-72.5,7/13/2026,12:10,,6192,x,1,0:10:00,keypad,TRUE
`,
  counts: {
    rows_read: 11,
    rows_accepted: 5,
    rows_rejected: 6,
    rows_flagged: 2,
    reasons: {
      empty_row: 1,
      bad_start_time: 1,
      bad_coordinate: 1,
      column_count: 1,
      duplicate_in_file: 1,
      unclosed_quote: 1,
    },
    flags: { ends_before_start: 1, zero_distance: 1, no_destination: 1, no_end_time: 1 },
  },
}

/** A file of Lyft with thirteen columns. The name of the file contains the operator. */
export const lyftFile: TripFile = {
  name: '202602-divvy-tripdata.csv',
  text: `ride_id,rideable_type,started_at,ended_at,start_station_name,start_station_id,end_station_name,end_station_id,start_lat,start_lng,end_lat,end_lng,member_casual
"0A1B2C3D4E5F6071","electric_bike","2026-02-03 12:08:42.123","2026-02-03 12:18:42.000","Alder & Ash","TA1","Beech","TB2",41.49,-72.51,41.5,-72.5,"member"
"0A1B2C3D4E5F6072","classic_bike","2026-02-03 12:09:42","2026-02-03 12:09:42","","","","",41.49,-72.51,41.5,-72.5,"casual"
"0A1B2C3D4E5F6073","electric_scooter","2026-02-03 12:10:42","2026-02-05 12:10:42","","","","",41.49,-72.51,,,"casual"
`,
  counts: {
    rows_read: 3,
    rows_accepted: 3,
    rows_rejected: 0,
    rows_flagged: 2,
    reasons: {},
    flags: { zero_duration: 1, over_24_hours: 1, no_destination: 1 },
  },
}

/** A file of Citi Bike before 2021, which contains the year of birth and gender of riders. */
export const citiBikeFile: TripFile = {
  name: '201601-citibike-tripdata.csv',
  text: `tripduration,starttime,stoptime,start station id,start station name,start station latitude,start station longitude,end station id,end station name,end station latitude,end station longitude,bikeid,usertype,birth year,gender
619,1/15/2026 00:00:36,1/15/2026 00:10:55,268,Howard St,41.49,-72.52,3002,South End Ave,41.5,-72.5,17109,Subscriber,1961,1
900,1/15/2026 00:01:36,1/15/2026 00:16:36,268,Howard St,41.49,-72.52,3002,South End Ave,41.5,-72.5,17108,Customer,,0
900,yesterday,1/15/2026 00:16:36,268,Howard St,41.49,-72.52,3002,South End Ave,41.5,-72.5,17108,Customer,1984,2
900,1/15/2026 00:01:36,1/15/2026 00:16:36,268,Howard St,41.49,-72.52,3002,South End Ave,41.5,-72.5,17108,Customer,extra,1984,2
900,1/15/2026 00:01:36,1/15/2026 00:16:36,268,"Howard St,41.49,-72.52,3002,South End Ave,41.5,-72.5,17108,Customer,1984,2
`,
  counts: {
    rows_read: 5,
    rows_accepted: 2,
    rows_rejected: 3,
    rows_flagged: 0,
    reasons: { bad_start_time: 1, column_count: 1, unclosed_quote: 1 },
    flags: {},
  },
}

/** Open data of Louisville, rounded to quarters of an hour and three decimals. */
export const louisvilleFile: TripFile = {
  name: 'dockless.csv',
  text: `TripID,StartDate,StartTime,EndDate,EndTime,TripDuration,TripDistance,StartLatitude,StartLongitude,EndLatitude,EndLongitude,DayOfWeek,HourNum
dc1289dd-5de4-6846-e953-66e72098,2026-08-01,00:15,2026-08-01,00:30,3,0.35,41.49,-72.53,41.48,-72.49,5,00
a158e61b-0a9e-dac0-8b1e-b23a69c6,2026-08-01,24:00,2026-08-02,00:15,7,1,41.49,-72.53,41.48,-72.49,5,00
a158e61b-0a9e-dac0-8b1e-b23a69c7,2026-08-01,12:00,2026-08-01,12:15,7,300,41.49,-72.53,41.48,-72.49,5,00
`,
  counts: {
    rows_read: 3,
    rows_accepted: 3,
    rows_rejected: 0,
    rows_flagged: 1,
    reasons: {},
    flags: { impossible_distance: 1, impossible_speed: 1 },
  },
}
