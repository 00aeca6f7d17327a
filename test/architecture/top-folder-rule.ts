import { importRule } from './rule.ts'
import { getTopFolder } from './source-file.ts'

const importableFolders: Record<string, string[]> = {
  contract: ['contract'],
  server: ['contract', 'server'],
  web: ['contract', 'web'],
  demo: ['contract', 'server', 'demo'],
}

/** Packages that the contract may import. Its tests may also import a test runner. */
const contractPackages = /^zod$/
const contractTestPackages = /^(?:vitest|fast-check)$/

export const topFolderRule = importRule(
  '1',
  'contract <- server, contract <- web; contract imports only zod; only server/main.ts imports demo, lazily',
  (file, target, specifier) => {
    const from = getTopFolder(file.path)
    const allowed = importableFolders[from]
    if (!allowed) return undefined
    if (target === undefined)
      return from === 'contract' && !isPure(file.path, specifier) ? `imports ${specifier}` : undefined
    const to = getTopFolder(target)
    if (to === 'demo' && file.path === 'server/main.ts')
      return isLazy(file.code, specifier) ? undefined : `imports ${target} not lazily`
    if (/\.test\.tsx?$/.test(file.path) && to === 'test') return undefined
    return allowed.includes(to) ? undefined : `imports ${target}`
  },
)

function isPure(path: string, specifier: string): boolean {
  return (
    contractPackages.test(specifier) || (path.endsWith('.test.ts') && contractTestPackages.test(specifier))
  )
}

/** Whether a module is imported with `import()`, so that servers without the demo do not load it. */
function isLazy(code: string, specifier: string): boolean {
  return new RegExp(`import\\(\\s*['"]${specifier.replaceAll(/[.*+?^$()[\]{}|\\/]/g, String.raw`\$&`)}`).test(
    code,
  )
}
