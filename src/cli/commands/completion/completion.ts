import { Fault } from '../../../contract/faults.ts'
import { defineCommand } from '../../command.ts'
import type { CompletionPlace } from '../../completion/completion-table.ts'
import { SHELLS, type Shell } from '../../completion/shells.ts'

export const completion = defineCommand<{ shell: Shell }>({
  name: 'completion',
  summary: 'a script that completes the words of memctl in a shell',
  words: [{ name: '<shell>', about: SHELLS.join(', ') }],
  options: [],
  about:
    'Put the line of your shell into its start-up file, such as ~/.bashrc or ~/.zshrc (there after compinit); for fish write the script ' +
    'to ~/.config/fish/completions/memctl.fish. The script knows the commands of this version and asks no program while you type.',
  examples: [
    'source <(memctl completion bash)',
    'source <(memctl completion zsh)',
    'memctl completion fish > ~/.config/fish/completions/memctl.fish',
    'memctl completion powershell | Out-String | Invoke-Expression'
  ],
  leaves: 'Nothing was changed',
  parse: ({ words: [name = ''] }) => ({ shell: shellNamed(name) }),
  run: async ({ answer, catalogue }, { shell }) => {
    const { completionTable } = await import('../../completion/completion-table.ts')
    const script = await SCRIPTS[shell]()
    const text = script(completionTable(await catalogue()))
    if (answer.mode === 'json' || answer.mode === 'jsonl') return await answer.jsonLine({ shell, script: text })
    await answer.raw(text)
  }
})

const SCRIPTS: Readonly<Record<Shell, () => Promise<(places: readonly CompletionPlace[]) => string>>> = {
  bash: async () => (await import('../../completion/bash-script.ts')).bashScript,
  zsh: async () => (await import('../../completion/zsh-script.ts')).zshScript,
  fish: async () => (await import('../../completion/fish-script.ts')).fishScript,
  powershell: async () => (await import('../../completion/powershell-script.ts')).powershellScript
}

function shellNamed(name: string): Shell {
  const shell = SHELLS.find((one) => one === name)
  if (shell !== undefined) return shell
  throw new Fault('usage', `'${name}' is no shell that words can be completed in`, {
    hint: `give ${SHELLS.join(', ')}`
  })
}
