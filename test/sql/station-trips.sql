select
    nearest.1 as operator,
    nearest.2 as feed_id,
    nearest.3 as station_id,
    toString(sumIf(trips, not is_end)) as starts,
    toString(sumIf(trips, is_end)) as ends
  from (
    select
      is_end,
      any(place.trips) as trips,
      argMin(
        (station.operator, station.feed_id, station.station_id),
        (geoDistance(place.lon, place.lat, station.lon, station.lat), station.station_id)
      ) as nearest
    from (
      select
        *,
        toInt64(floor(lon / {p0:Float64})) as x,
        toInt64(floor(lat / {p1:Float64})) as y
      from (
    select operator, is_end, lon, lat, count() as trips
    from (
      select
        operator,
        arrayJoin([
          (toUInt8(0), toUnixTimestamp64Milli(start_time), start_lon, start_lat),
          (toUInt8(1), ifNull(toUnixTimestamp64Milli(end_time), 0), end_lon, end_lat)
        ]) as place,
        place.1 as is_end,
        place.2 as at,
        place.3 as lon,
        place.4 as lat,
        intDiv(at, {p2:Int64}) as utc_day
      from (select * from trips final where region_id in {scope_regions:Array(String)})
      where
        region_id = {p3:String} and operator in {p4:Array(String)}
        and local_date >= toDate({p5:Int64})
        and local_date <= toDate({p6:Int64})
    ) as trip
    join (
    select part.1 as utc_day, part.2 as day, part.3 as window_from, part.4 as window_until
    from (
      select arrayJoin(arrayZip(
        {p7:Array(Int64)},
        {p8:Array(Int64)},
        {p9:Array(Int64)},
        {p10:Array(Int64)}
      )) as part
    )) as window on window.utc_day = trip.utc_day
    where at >= window.window_from and at < window.window_until
    group by operator, is_end, lon, lat)
      where isFinite(lon) and isFinite(lat)
    ) as place
    join (
      select
        operator, feed_id, station_id, lon, lat,
        toInt64(floor(lon / {p11:Float64})) + arrayJoin([-1, 0, 1]) as x,
        toInt64(floor(lat / {p12:Float64})) + arrayJoin([1, 0, -1]) as y
      from (
    select operator, feed_id, station_id, name, lon, lat, capacity
    from (select * from station_details final where region_id in {scope_regions:Array(String)})
    where region_id = {p13:String} and operator in {p14:Array(String)}
    order by
      operator, feed_id, station_id,
      from_time < fromUnixTimestamp64Milli({p15:Int64}) desc,
      if(from_time < fromUnixTimestamp64Milli({p15:Int64}), -1, 1) * toUnixTimestamp64Milli(from_time)
    limit 1 by operator, feed_id, station_id)
    ) as station
      on station.operator = place.operator and station.x = place.x and station.y = place.y
    where geoDistance(place.lon, place.lat, station.lon, station.lat) <= {p16:Float64}
    group by place.operator, is_end, place.lon, place.lat
  )
  group by nearest
  order by nearest

-- p0 = 0.002
-- p1 = 0.001
-- p2 = 86400000
-- scope_regions = ["here"]
-- p3 = "here"
-- p4 = ["zephyr"]
-- p5 = 1772622000
-- p6 = 1773025200
-- p7 = [20518,20519,20519,20520]
-- p8 = [0,0,1,1]
-- p9 = [1772794800000,1772841600000,1772881200000,1772928000000]
-- p10 = [1772841600000,1772852400000,1772928000000,1772938800000]
-- p11 = 0.002
-- p12 = 0.001
-- p13 = "here"
-- p14 = ["zephyr"]
-- p15 = "1772938800000"
-- p16 = 50
