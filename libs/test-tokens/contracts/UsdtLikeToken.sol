// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;

import {Initialised} from "./Initialised.sol";

/// As Tether's contract on Ethereum behaves: `transfer`, `transferFrom` and `approve` return nothing, a blacklisted account
/// can't send but can receive, and a fee can be switched on, which the recipient then gets less.
contract UsdtLikeToken is Initialised {
    uint256 private constant BASIS_POINTS = 10_000;

    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;
    mapping(address account => bool) public isBlackListed;
    bool public paused;
    uint256 public basisPointsRate;
    uint256 public maximumFee;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error Paused();
    error BlackListed(address account);
    error BalanceTooLow(address account, uint256 balance, uint256 needed);
    error AllowanceTooLow(address spender, uint256 allowed, uint256 needed);
    error AllowanceNotZero(address spender);

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, AllowanceTooLow(msg.sender, allowed, value));
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, AllowanceNotZero(spender));
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function mint(address to, uint256 value) external onlyOwner {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function pause() external onlyOwner {
        paused = true;
    }

    function unpause() external onlyOwner {
        paused = false;
    }

    function addBlackList(address account) external onlyOwner {
        isBlackListed[account] = true;
    }

    function removeBlackList(address account) external onlyOwner {
        isBlackListed[account] = false;
    }

    function setParams(uint256 newBasisPoints, uint256 newMaximumFee) external onlyOwner {
        (basisPointsRate, maximumFee) = (newBasisPoints, newMaximumFee);
    }

    function _move(address from, address to, uint256 value) private {
        require(!paused, Paused());
        require(!isBlackListed[from], BlackListed(from));
        uint256 balance = balanceOf[from];
        require(balance >= value, BalanceTooLow(from, balance, value));
        uint256 fee = (value * basisPointsRate) / BASIS_POINTS;
        if (fee > maximumFee) fee = maximumFee;
        balanceOf[from] = balance - value;
        balanceOf[to] += value - fee;
        emit Transfer(from, to, value - fee);
        if (fee == 0) return;
        balanceOf[owner] += fee;
        emit Transfer(from, owner, fee);
    }
}
