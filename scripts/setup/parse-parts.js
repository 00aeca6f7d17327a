/** `unit stories -- server/imports` -> which parts run, in their own order, and what is passed on to them. */
export function parseParts(args, names) {
  const firstOther = args.findIndex((arg) => !names.includes(arg))
  const wanted = firstOther === -1 ? args : args.slice(0, firstOther)
  const rest = args.slice(wanted.length).filter((arg, at) => !(at === 0 && arg === '--'))
  if (wanted.length === 0 && args.length > 0) {
    throw new Error(
      `no part is called ${args[0]}; the parts are ${names.join(', ')}. Example: npm test unit -- server/imports`,
    )
  }
  return { parts: wanted.length > 0 ? names.filter((name) => wanted.includes(name)) : names, rest }
}
