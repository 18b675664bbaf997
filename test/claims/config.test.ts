import { describe, expect, test } from 'vitest';
import { ConfigError, modelConfig, parseConfig } from '../../src/claims/index.ts';
import { bool, int, set, str } from '../../src/tla/index.ts';

describe('a configuration', () => {
  test('gives constants, substitutions and invariants', () => {
    const text = `\\* A comment.
INIT Init
NEXT Next
CHECK_DEADLOCK FALSE
CONSTANTS
    Replicas = {"B", "A"}  \\* two
    MinIsr = 1

    OldNews = FALSE
    Told <- ToldHere
INVARIANTS TypeOk Watched
    FollowerAgrees
PROPERTIES CatchesUpProp
`;
    expect(parseConfig(text, 'Some.cfg')).toEqual({
      constants: new Map([
        ['Replicas', set([str('A'), str('B')])],
        ['MinIsr', int(1)],
        ['OldNews', bool(false)],
      ]),
      substitutions: new Map([['Told', 'ToldHere']]),
      invariants: ['TypeOk', 'Watched', 'FollowerAgrees'],
      properties: ['CatchesUpProp'],
    });
  });

  test('may have Windows line ends and sections in the singular', () => {
    expect(parseConfig('CONSTANT N = 3\r\nINVARIANT Small\r\n', 'Some.cfg')).toEqual({
      constants: new Map([['N', int(3)]]),
      substitutions: new Map(),
      invariants: ['Small'],
      properties: [],
    });
  });

  test('with a line that is no constant is named with file and line', () => {
    const load = () => parseConfig('INIT Init\nCONSTANTS\n    Replicas "A"\n', 'models/Some.cfg');
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(
      'models/Some.cfg, line 3: expected "Name = value" or "Name <- Operator", found "Replicas "A"".',
    );
  });

  test('with a value that cannot be read is named with file, line and constant', () => {
    const load = () => parseConfig('CONSTANTS\n\n    Replicas = {"A"\n', 'models/Some.cfg');
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(/^models\/Some\.cfg, line 3: Replicas has no readable value\. /);
  });

  test('of a model is found by its name', () => {
    const { constants, invariants } = modelConfig('FastRestartLoss');
    expect(constants.get('Profile')).toEqual(str('Kafka_0_10_2'));
    expect(constants.get('MaxCrashes')).toEqual(int(1));
    expect(invariants).toEqual(['TypeOk', 'Watched', 'CommittedSurvives']);
  });
});
