/** Words for the names of streets, by the part of the city that likes them. */
export const streetWords = {
  trees: [
    'Oak', 'Maple', 'Elm', 'Chestnut', 'Walnut', 'Cedar', 'Laurel', 'Magnolia', 'Sycamore', 'Hickory', 'Willow', 'Ash', 'Beech', 'Poplar',
    'Linden', 'Juniper', 'Dogwood', 'Pine', 'Spruce', 'Holly', 'Locust', 'Birch', 'Hawthorn', 'Alder', 'Cypress', 'Mulberry', 'Persimmon',
    'Tupelo', 'Sassafras', 'Redbud', 'Catalpa', 'Tamarack', 'Hazel', 'Rowan', 'Sumac', 'Buckeye', 'Butternut', 'Cottonwood', 'Ironwood',
    'Myrtle',
  ],
  old: [
    'Market', 'Custom House', 'Tobacco', 'Cable', 'Rope Walk', 'Chandler', 'Cooper', 'Bell', 'Gaol', 'Church', 'King George', 'Queen',
    'Prince', 'Duke', 'Tanner', 'Bakehouse', 'Pump', 'Mercer', 'Assembly', 'Wharf', 'Pilot', 'Mariner', 'Anchor', 'Saltbox', 'Candle',
    'Carter', 'Vestry', 'Bishop', 'Parade', 'Powder House', 'Lamp', 'Weavers', 'Cordwainer', 'Spring', 'Garden', 'Crown', 'Hatter',
    'Wickham', 'Pitt', 'Penn', 'Calvert', 'Ashe', 'Ludlow', 'Beckett', 'Ferry', 'Granary', 'Cross', 'Mill', 'Brewer', 'Stone',
  ],
  ships: [
    'Schooner', 'Clipper', 'Brig', 'Sloop', 'Packet', 'Ketch', 'Tender', 'Galley', 'Frigate', 'Corvette', 'Barque', 'Whaler', 'Dory',
    'Trawler', 'Lugger', 'Yawl', 'Pinnace', 'Cutter', 'Lighter', 'Wherry', 'Skipjack', 'Dredge', 'Capstan', 'Bollard', 'Keel', 'Mainsail',
    'Rigging', 'Halyard', 'Compass', 'Sextant', 'Bosun', 'Purser', 'Stevedore', 'Warehouse', 'Depot', 'Foundry', 'Boiler', 'Turntable',
    'Coal', 'Grain', 'Lumber', 'Cotton', 'Sugar', 'Oyster',
  ],
  people: [
    'Adeline', 'Barrow', 'Carver', 'Delaney', 'Easton', 'Fairfax', 'Garrett', 'Hollis', 'Ingram', 'Jarvis', 'Kendall', 'Lassiter', 'Mabry',
    'Norwood', 'Oswald', 'Pruitt', 'Quincy', 'Rosedale', 'Satterfield', 'Thornton', 'Underhill', 'Vance', 'Wescott', 'Yarrow', 'Ames',
    'Bledsoe', 'Corbin', 'Dunmore', 'Ellery', 'Forsythe', 'Grayson', 'Hathaway', 'Isham', 'Jessup', 'Kirkland', 'Langston', 'Merritt',
    'Nottingham', 'Overton', 'Parrish', 'Randall', 'Sedgwick', 'Tazewell', 'Upshur', 'Varina', 'Winslow',
  ],
  birds: [
    'Heron', 'Osprey', 'Plover', 'Tern', 'Egret', 'Sanderling', 'Pelican', 'Willet', 'Avocet', 'Curlew', 'Dunlin', 'Skimmer', 'Kingfisher',
    'Sandpiper', 'Petrel', 'Gannet', 'Cormorant', 'Puffin', 'Bittern', 'Ibis', 'Grebe', 'Teal', 'Pintail', 'Canvasback', 'Merganser',
    'Loon', 'Eider', 'Scoter', 'Gadwall', 'Wigeon', 'Harrier', 'Kestrel', 'Marlin', 'Tarpon', 'Snapper', 'Pompano', 'Dolphin', 'Coral',
    'Seagrass', 'Driftwood', 'Lagoon', 'Tideway',
  ],
  hills: [
    'Ridgeline', 'Overlook', 'Summit', 'Hilltop', 'Ravine', 'Briar', 'Fox Hollow', 'Deer Run', 'Stonegate', 'Bluebell', 'Larkspur',
    'Meadow', 'Clearview', 'Highfield', 'Brookside', 'Winding Hill', 'Orchard Hill', 'Chapel Hill', 'Quail', 'Partridge', 'Timber',
    'Wildwood', 'Fern', 'Aspen', 'Spring Hill', 'Rolling', 'Valley View', 'Cold Spring', 'Kingswood', 'Westover', 'Glen', 'Laurel Hill',
    'Woodcrest', 'Stony Point', 'Old Quarry', 'Granite', 'Slate', 'Marble', 'Bracken', 'Heather', 'Thistle', 'Gorse',
  ],
} as const
