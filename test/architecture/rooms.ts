/** Rooms of the server. Each may import those before it. */
export const serverRooms = [
  [
    'config',
    'metrics',
    'stores',
    'jobs',
    'mail',
    'table-files',
    'http',
    'identity',
    'regions',
    'users',
    'notifications',
    'api-keys',
    'geography',
    'basemap',
    'operators',
    'derived',
    'fleet',
    'live',
    'routes',
  ],
  [
    'issues',
    'weather',
    'curb',
    'policies',
    'evaluation',
    'feeds',
    'imports',
    'health',
    'compliance',
    'billing',
    'reporting',
    'operations',
  ],
  ['open-platform', 'open-rooms', 'serve-rooms', 'schedule', 'app', 'main'],
].flat()

/** Rooms without domain knowledge. Other rooms may import all their files. */
export const foundation = ['config', 'metrics', 'stores', 'jobs', 'mail', 'table-files', 'http']

/** Files of the server that combine all rooms. */
export const top = ['open-platform', 'open-rooms', 'serve-rooms', 'schedule', 'app', 'main']

/** Rooms of the web app. Each may import those before it. Tests may import any room. */
export const webRooms = [
  ['i18n', 'kit', 'charts', 'map', 'data', 'shell', 'filters', 'map-page'],
  [
    'identity',
    'users',
    'api-keys',
    'notifications',
    'regions',
    'derived',
    'health',
    'feeds',
    'imports',
    'geography',
  ],
  ['evaluation', 'live', 'routes', 'issues', 'billing', 'policies', 'compliance', 'reporting', 'curb'],
  ['early-calls', 'screens', 'main'],
].flat()
