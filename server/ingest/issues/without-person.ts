import type { IssueRecord } from './records-of.ts'

/** Fields of who reported it, of who it was given to, and of pictures: not kept, not even with what is set aside. */
const personal = /name|mail|phone|contact|account|device|media|photo|image|reporter|caller|citizen|submitter|requestor|requester|owner|^user/i
/** Names of things. */
const harmless = /service|type|street|district|council|communit|neighbou?rhood|agency|department|park/i

/** Whether a field of a 311 list is about a person. */
export const isPersonalField = (name: string): boolean => personal.test(name) && !harmless.test(name)

/** A record as JSON without the fields of people. */
export function withoutPerson(record: unknown): string {
  if (typeof record !== 'object' || record === null) return JSON.stringify(record) ?? ''
  return JSON.stringify(Object.fromEntries(Object.entries(record as IssueRecord).filter(([name]) => !isPersonalField(name)))) ?? ''
}
