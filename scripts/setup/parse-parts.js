/**
 * Splits arguments such as `unit stories -- server/imports` into the parts to run, in the order of `names`,
 * and the rest, which is passed on to them. No part means all.
 */
export function parseParts(args, names) {
  const firstOther = args.findIndex((arg) => !names.includes(arg))
  const selected = firstOther === -1 ? args : args.slice(0, firstOther)
  const rest = args.slice(selected.length).filter((arg, index) => !(index === 0 && arg === '--'))
  if (selected.length === 0 && args.length > 0) {
    throw new Error(
      `no part is called ${args[0]}; the parts are ${names.join(', ')}. Example: npm test unit -- server/imports`,
    )
  }
  return { parts: selected.length > 0 ? names.filter((name) => selected.includes(name)) : names, rest }
}
