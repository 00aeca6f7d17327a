import { patternRule, type Rule } from './rule.ts'
import { isTest, getTopFolder, type SourceFile } from './source-file.ts'

const folders = ['contract', 'server', 'web', 'demo', 'test', 'bench', 'scripts']
const nameless = /(?:^|\/)(?:utils?|libs?|helpers?|common|shared|misc|types)\//
const version = /[-_.](?:v\d+|old|new|copy|final|bak|backup|\d+)(?:\.test|\.spec)?\.\w+$/

function isOurs(file: SourceFile): boolean {
  return folders.includes(getTopFolder(file.path))
}

function isCode(file: SourceFile): boolean {
  return isOurs(file) && /\.[jt]sx?$/.test(file.path)
}

function pathRule(number: string, text: string, isWrong: (file: SourceFile) => boolean): Rule {
  return {
    number,
    text,
    check: (files) => files.filter(isWrong).map(({ path }) => ({ path, line: 1, text: path })),
  }
}

export const foldersRule = pathRule(
  '6',
  'no folder called utils, lib, helpers, common, shared, misc, types',
  (file) => isOurs(file) && nameless.test(file.path),
)

export const namesRule = pathRule(
  'bars',
  'no file names with versions',
  (file) => isCode(file) && version.test(file.path),
)

/** Files with only imports and `export ... from`. */
export const barrelsRule = pathRule('6', 'no barrels', (file) => {
  if (!isCode(file) || !/\bexport\b[^;]*\bfrom\b/.test(file.code)) return false
  const rest = file.code.replaceAll(/\b(?:export|import)\b[\s\w{},*$]*\bfrom\s*(['"])[^'"\n]+\1\s*;?/g, '')
  return rest.trim() === ''
})

const colour = /(?<=['"`\s:(,])#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})(?![\w-])|\b(?:rgb|hsl)a?\(\s*\d/gi

export const colorsRule = patternRule('colors', 'colors are only in web/kit/theme.ts', colour, (file) => {
  const isDrawn = getTopFolder(file.path) === 'web' && /\.(?:tsx?|css)$/.test(file.path) && !isTest(file.path)
  return isDrawn && file.path !== 'web/kit/theme.ts' ? file.code : undefined
})

export const layersRule = patternRule(
  'layers',
  'stacking and widths of layouts are named: var(--layer-…), $phone, $small, $desktop',
  /z-index:\s*-?\d|@media[^{]*max-width:\s*\d/g,
  (file) => (getTopFolder(file.path) === 'web' && file.path.endsWith('.css') ? file.text : undefined),
)

/** Hosts and folders of a developer's machine. */
export const machineRule = patternRule(
  'machine',
  "no paths of a developer's machine, no registry's host",
  /(?<![\w.~-])\/(?:work|home|root|Users)\/[\w.]|\bregistry\.[a-z0-9-]+\.[a-z]{2,}|\b[\w-]+\.(?:jfrog|artifactory)\b|"resolved":/g,
  (file) => (file.path.startsWith('test/architecture/') ? undefined : file.text),
)

/** Applies to texts of screens, but not to their keys and placeholders, which are identifiers. */
export const spellingRule = patternRule(
  'spelling',
  'texts of screens have American spelling',
  /(?<!\{)\b(?:colour|neighbour|(?:kilo|milli)?metre|centre|favour|harbour|cancelled|recognis|organis|towards|afterwards|judgement|grey)\w*(?![\w}]|"\s*:)/gi,
  (file) => (getTopFolder(file.path) === 'web' && file.path.endsWith('.en.json') ? file.text : undefined),
)
