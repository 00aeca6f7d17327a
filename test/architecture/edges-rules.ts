// Rule 5's other half: what only one place may do, checked in the code.
import { patternRule, type Rule } from './rule.ts'
import { isTest, roofOf, type SourceFile } from './source-file.ts'

const clockEdges = [
  /^server\/(?:main|app|config|schedule)\.ts$/,
  /^server\/(?:http|jobs|stores)\//,
  /^server\/.*(?:\/routes|-job)\.ts$/,
  /^web\/(?:main\.tsx$|data\/|shell\/|live\/)/,
  /^web\/.*-screen\.tsx$/,
]

function productCode(file: SourceFile, ...roofs: string[]): string | undefined {
  return roofs.includes(roofOf(file.path)) && /\.tsx?$/.test(file.path) && !isTest(file.path)
    ? file.codeWithoutStrings
    : undefined
}

export const fetchRule = patternRule(
  '5',
  'in web only data calls fetch',
  /(?<![\w$.])fetch\s*\(|\b(?:window|globalThis|self)\.fetch\b|\bnew (?:XMLHttpRequest|EventSource|WebSocket)\b/g,
  (file) => (file.path.startsWith('web/data/') ? undefined : productCode(file, 'web')),
)

export const environmentRule = patternRule(
  '5',
  'only server/config.ts reads process.env',
  /\bprocess\s*\.\s*env\b|\benv\b[^;\n]*\bfrom 'node:process'/g,
  (file) =>
    file.path === 'server/config.ts'
      ? undefined
      : productCode(file, 'contract', 'server', 'web', 'demo') && file.code,
)

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
