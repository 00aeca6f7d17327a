/** Now, in milliseconds since 1970. Components ask here, so that what they decide can be tried at any time. */
export const now = (): number => Date.now()
