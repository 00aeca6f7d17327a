import { cyclesRule } from './cycles-rule.ts'
import { doorsRule } from './doors-rule.ts'
import { clockRule, environmentRule, fetchRule, scopeRule } from './edges-rules.ts'
import * as form from './form-rules.ts'
import { packagesRule } from './packages-rule.ts'
import { roofsRule } from './roofs-rule.ts'
import type { Rule } from './rule.ts'
import { serverOrderRule } from './server-order-rule.ts'
import { longFilesRule, medianRule, shortFilesRule, testLinesRule, tooLongRule } from './size-rules.ts'
import { webOrderRule } from './web-order-rule.ts'

export const rules: Rule[] = [
  [roofsRule, serverOrderRule, doorsRule, webOrderRule],
  [packagesRule, fetchRule, environmentRule, scopeRule, clockRule],
  [form.barrelsRule, form.defaultExportsRule, form.foldersRule, cyclesRule],
  [
    medianRule,
    longFilesRule,
    shortFilesRule,
    tooLongRule,
    testLinesRule,
    form.anyRule,
    form.ignoreRule,
    form.namesRule,
  ],
  [form.coloursRule, form.layersRule, form.machineRule, form.spellingRule],
].flat()
