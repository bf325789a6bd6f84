import { expect, test } from 'vitest'
import { keepToPackages } from './packages.ts'

test('finds a package in a foreign layer', () => {
  const complaints = keepToPackages([
    { path: 'src/snapshot/a.ts', text: "import { z } from 'zod'" },
    { path: 'src/device/b.ts', text: "import type { Database } from 'sql.js/dist/sql-wasm.js'" },
    { path: 'src/search/c.ts', text: "import { program } from 'commander'" },
    { path: 'src/contract/faults.ts', text: "import { z } from 'zod'" }
  ])
  expect(complaints).toEqual([
    'src/snapshot/a.ts:1: src/snapshot must not use zod',
    'src/device/b.ts:1: src/device must not use sql.js',
    'src/search/c.ts:1: src/search must not use commander',
    'src/contract/faults.ts:1: src/contract/faults.ts must not use zod'
  ])
})

test('finds a Node module that accesses the machine outside of bin', () => {
  const complaints = keepToPackages([
    { path: 'src/device/a.ts', text: "import { readFileSync } from 'node:fs'" },
    { path: 'src/cli/b.ts', text: "const os = await import('node:os')" },
    { path: 'src/snapshot/c.ts', text: "const { spawn } = require('child_process')" },
    { path: 'bin/node/node-files.ts', text: "import * as fs from 'node:fs'" }
  ])
  expect(complaints).toHaveLength(3)
})

test('finds a heavy package that is not loaded lazily', () => {
  const complaints = keepToPackages([
    { path: 'bin/node/a.ts', text: "import ora from 'ora'" },
    { path: 'bin/node/b.ts', text: "import type { Ora } from 'ora'\nconst { default: ora } = await import('ora')" }
  ])
  expect(complaints).toEqual(['bin/node/a.ts:1: ora is loaded at first use, by import()'])
})
