/** The ground below is opaque and has written depth: without this, its fills would punch holes into what lies over it. */
export const flatDepth = { depthCompare: 'always' as const, depthWriteEnabled: false }
