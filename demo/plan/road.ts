import type { Point } from '../plane/point.ts'

export type StreetClass = 'freeway' | 'arterial' | 'collector' | 'local'

/** A planned road. Those with a bridge go over water, the others end at the shore. */
export interface Road {
  name: string
  class: StreetClass
  bridge: boolean
  points: readonly Point[]
}
