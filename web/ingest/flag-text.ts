import { qualityFlags, type QualityFlag } from '#contract/mobility.ts'

const isFlag = (name: string): name is QualityFlag => name in qualityFlags

/** The contract's text of a quality flag. */
export const flagText = (name: string): string => (isFlag(name) ? qualityFlags[name].text : name)
