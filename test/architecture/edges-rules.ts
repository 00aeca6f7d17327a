// Rule 5, as far as oxlint has no rule for it: what only one place may do.
import { patternRule, type Rule } from './rule.ts'
import { isTest, getTopFolder, type SourceFile } from './source-file.ts'

const clockEdges = [
  /^server\/(?:main|app|open-platform|open-rooms|serve-rooms|config|schedule)\.ts$/,
  /^server\/(?:http|jobs|stores)\//,
  /^server\/.*(?:\/routes|-job)\.ts$/,
  /^web\/(?:main\.tsx$|data\/|shell\/|live\/)/,
  /^web\/.*-screen\.tsx$/,
]

function productCode(file: SourceFile, ...folders: string[]): string | undefined {
  return folders.includes(getTopFolder(file.path)) && /\.tsx?$/.test(file.path) && !isTest(file.path)
    ? file.codeWithoutStrings
    : undefined
}

export const scopeRule = patternRule(
  '5',
  'only server/identity/scope.ts makes a Scope',
  /\bas Scope\b|\bas unknown as Scope\b|:\s*Scope\s*=\s*\{|\bsatisfies Scope\b|<Scope>\s*\{/g,
  (file) => (file.path === 'server/identity/scope.ts' ? undefined : productCode(file, 'server', 'demo')),
)

export const clockRule: Rule = patternRule(
  '5',
  'the clock is read at the edges and passed as `at`',
  /\bnew Date\(\s*\)|\bDate\.now\b|\bdayjs\(\s*\)|\bTemporal\.Now\b/g,
  (file) =>
    clockEdges.some((edge) => edge.test(file.path))
      ? undefined
      : productCode(file, 'contract', 'server', 'web'),
)
