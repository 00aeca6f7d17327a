const from = /\b(?:import|export)\b(?:[\s\w{},*$]|\btype\b)*?\bfrom\s*(['"])([^'"\n]+)\1/g
const bare = /(?:^|[;\n])\s*import\s*(['"])([^'"\n]+)\1/g
const call = /\bimport\s*\(\s*(['"])([^'"\n]+)\1/g
const mock = /\bvi\.(?:doMock|mock|importActual)\s*(?:<[^>]*>)?\(\s*(['"])([^'"\n]+)\1/g

interface Found {
  specifier: string
  line: number
  typeOnly: boolean
}

/** Returns all modules that code imports or exports from, including types. Comments must be blanked before. */
export function scanImports(code: string): Found[] {
  const found = [from, bare, call, mock].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => ({
      specifier: match[2] ?? '',
      at: match.index + match[0].length,
      typeOnly: /^(?:import|export)\s+type\b/.test(match[0]),
    })),
  )
  found.sort((a, b) => a.at - b.at)
  return found.map(({ specifier, at, typeOnly }) => ({
    specifier,
    line: code.slice(0, at).split('\n').length,
    typeOnly,
  }))
}
