import { roomAccessRule } from './room-access-rule.ts'
import { clockRule, scopeRule } from './edges-rules.ts'
import * as form from './form-rules.ts'
import { topFolderRule } from './top-folder-rule.ts'
import type { Rule } from './rule.ts'
import { serverOrderRule } from './server-order-rule.ts'
import {
  longFilesRule,
  medianRule,
  shortFilesRule,
  testLinesRule,
  tooLongRule,
  totalRule,
} from './size-rules.ts'
import { translatedRule } from './translated-rule.ts'
import { webOrderRule } from './web-order-rule.ts'

export const rules: Rule[] = [
  [topFolderRule, serverOrderRule, roomAccessRule, webOrderRule],
  [scopeRule, clockRule],
  [form.barrelsRule, form.foldersRule],
  [medianRule, longFilesRule, shortFilesRule, tooLongRule, testLinesRule, totalRule, form.namesRule],
  [form.colorsRule, form.layersRule, form.machineRule, form.spellingRule, translatedRule],
].flat()
