/** The server's rooms, each may import those before it. */
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

/** The server's first rooms know nothing of a city: any file of theirs may be used. */
export const foundation = ['config', 'metrics', 'stores', 'jobs', 'mail', 'table-files', 'http']

/** The server's files that bring all rooms together. */
export const top = ['open-platform', 'open-rooms', 'serve-rooms', 'schedule', 'app', 'main']

/** The rooms of the web app, each may import those before it. Tests may import any room. */
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
