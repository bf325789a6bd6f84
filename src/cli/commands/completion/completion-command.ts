import { Fault } from '../../../contract/faults.ts'
import { type AnyCommand, defineCommand, type Entry } from '../../command/command.ts'
import { type CompletionPlace, SHELLS, type Shell } from './completion-table.ts'

/** Returns the `completion` command. `loadCatalogue` loads every command that the script is to know. */
export function makeCompletionCommand(loadCatalogue: () => Promise<readonly Entry[]>): AnyCommand {
  return defineCommand<{ shell: Shell }>({
    name: 'completion',
    summary: 'Print a completion script for your shell',
    words: [{ name: '<shell>', about: SHELLS.join(', ') }],
    options: [],
    about:
      'Add the line for your shell to its start-up file, such as ~/.bashrc, or ~/.zshrc after compinit. For fish, write the script ' +
      'to ~/.config/fish/completions/memctl.fish. The script contains the commands of this version. For ids and names on the ' +
      'server, and for ids in the snapshot, it runs memctl, which offers none if the server does not respond at once.',
    examples: [
      'source <(memctl completion bash)',
      'source <(memctl completion zsh)',
      'memctl completion fish > ~/.config/fish/completions/memctl.fish',
      'memctl completion powershell | Out-String | Invoke-Expression'
    ],
    leaves: 'Nothing was changed',
    parse: ({ words: [name = ''] }) => ({ shell: shellNamed(name) }),
    run: async ({ answer }, { shell }) => {
      const { completionTable } = await import('./completion-table.ts')
      const script = await SCRIPTS[shell]()
      const text = script(completionTable(await loadCatalogue()))
      if (answer.mode === 'json' || answer.mode === 'jsonl') return await answer.jsonLine({ shell, script: text })
      await answer.raw(text)
    }
  })
}

const SCRIPTS: Readonly<Record<Shell, () => Promise<(places: readonly CompletionPlace[]) => string>>> = {
  bash: async () => (await import('./bash-script.ts')).bashScript,
  zsh: async () => (await import('./zsh-script.ts')).zshScript,
  fish: async () => (await import('./fish-script.ts')).fishScript,
  powershell: async () => (await import('./powershell-script.ts')).powershellScript
}

function shellNamed(name: string): Shell {
  const shell = SHELLS.find((one) => one === name)
  if (shell !== undefined) return shell
  throw new Fault('usage', `unsupported shell '${name}': expected ${SHELLS.join(', ')}`, {
    hint: 'memctl completion bash'
  })
}
